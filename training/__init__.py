"""Making the reader's net: data, training, export and evaluation; `python -m training DATA_DIR`."""
