import json

from scoring import parse_sheet
from tests.readings import reading_of


def test_unusable_truth_costs_one_photo(run, tmp_path, monkeypatch):
    import evaluation.compare

    sheet = parse_sheet("dice 4")
    (tmp_path / "a.jpg").touch()
    (tmp_path / "a.json").write_text("{nonsense")
    (tmp_path / "b.jpg").touch()
    (tmp_path / "b.json").write_text(json.dumps(sheet.to_dict()))
    (tmp_path / "c.jpg").touch()
    monkeypatch.setattr(evaluation.compare, "scan_photo", lambda source, layout, options: (reading_of(sheet),))
    result = run("eval", tmp_path, "--format", "json")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["totals"] == {"right": 1, "of": 1, "share": 1.0}
    assert "a.json: not a truth file" in result.stderr
    assert "1 photos without a truth file left out, the first is c.jpg" in result.stderr
    assert "totals right" in run("eval", tmp_path).stdout
