"""The bodies of the commands; `cli` only declares them, so that asking for help loads none of this."""
