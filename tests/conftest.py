import pytest
from click.testing import CliRunner

from cli import main


@pytest.fixture
def run():
    """Runs the command line in this process."""

    def invoke(*args, **options):
        result = CliRunner().invoke(main, [str(arg) for arg in args], **options)
        assert "Traceback" not in result.output
        return result

    return invoke
