"""How well scanning works on photos whose sheets are known: comparison, measures and their printing."""

from evaluation.compare import evaluate_photo
from evaluation.measures import measure
from evaluation.outcomes import PhotoOutcome
from evaluation.truth import TruthError, photos_with_truth

__all__ = ["PhotoOutcome", "TruthError", "evaluate_photo", "measure", "photos_with_truth"]
