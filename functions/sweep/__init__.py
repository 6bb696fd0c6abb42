"""The sweep: once a minute, whatever has become due is looked at again."""
