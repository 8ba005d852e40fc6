"""A stack of photos: read by many processes into a record that survives whatever stops them."""
