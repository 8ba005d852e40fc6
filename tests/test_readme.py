"""What the README shows works as shown."""

import json
import re
from pathlib import Path

import click
import pytest

from cli import main
from scoring import CardGame, Sheet, parse_sheet, score_cards

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = re.findall(r"^    rollwrite (\w+)(.*?)(?:#.*)?$", README, re.MULTILINE)


@pytest.mark.parametrize(("command", "arguments"), COMMANDS)
def test_commands_and_options_exist(command, arguments):
    known = main.commands[command]
    assert isinstance(known.make_context(command, arguments.split()), click.Context)


def test_there_are_commands_to_check():
    assert len(COMMANDS) >= 6


def test_the_sheet_typed_in_one_line_and_as_json_are_sheets():
    line = re.search(r"^    (player Ana .*)$", README, re.MULTILINE)
    data = re.search(r'^(\{"player": "Ana".*\})$', README, re.MULTILINE)
    assert parse_sheet(line[1]).player == "Ana"
    assert Sheet.from_dict(json.loads(data[1])).red.double


def test_the_card_game_shown_is_one():
    data = re.search(r'^(\{"players".*?\]\})$', README, re.MULTILINE | re.DOTALL)
    found = score_cards(CardGame.from_dict(json.loads(data[1])))
    assert [violation.code for violation in found.violations] == ["round-count"]


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(((?!http)[^)#]+)\)", README))))
def test_links_lead_somewhere(target):
    assert (ROOT / target).exists()
