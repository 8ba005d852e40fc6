"""Who does the work on a stack: processes of this machine, or a Dask cluster, behind one method."""

from batch.engines.base import Engine, EngineError, Lost

__all__ = ["Engine", "EngineError", "Lost"]
