"""Truths and readings held against each other without a scan."""

import json

import pytest

import evaluation.compare
from evaluation import evaluate_photo, measure


@pytest.fixture
def figures(monkeypatch, tmp_path):
    """Measures readings against truths, a photo each."""

    def of(*pairs):
        outcomes = []
        for number, (truths, readings) in enumerate(pairs):
            photo = tmp_path / f"IMG_{number}.jpg"
            photo.with_suffix(".json").write_text(json.dumps(truths), encoding="utf-8")

            def scan_photo(source, layout, options, readings=readings):
                if isinstance(readings, Exception):
                    raise readings
                return readings

            monkeypatch.setattr(evaluation.compare, "scan_photo", scan_photo)
            outcomes.append(evaluate_photo(photo))
        return measure(outcomes)

    return of
