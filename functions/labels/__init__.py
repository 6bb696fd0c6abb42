"""Labels: how a workspace sorts its issues beside projects. Everybody reads them; admins change them."""
