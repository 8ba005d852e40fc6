"""Time and memory of a scan, each set against something that everybody has: `python -m bench`."""
