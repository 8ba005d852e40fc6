"""Synthetic sheets: legal games, written by hand, photographed by phone, with their truth."""
