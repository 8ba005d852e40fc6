"""What a run found, and its printing: tables for people, JSON, JSON Lines and CSV for programs."""
