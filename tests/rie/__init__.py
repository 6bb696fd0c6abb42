"""The handlers under the real Lambda runtime interface, without a container."""
