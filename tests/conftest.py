import pytest
from click.testing import CliRunner

from cli import main
from layouts.known import FOLDER_VARIABLE


@pytest.fixture(autouse=True, scope="session")
def no_layouts_of_ones_own(tmp_path_factory):
    """Whoever runs the tests may have calibrated pads, and they would be known."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER_VARIABLE, str(tmp_path_factory.mktemp("layouts")))
        yield


@pytest.fixture
def run():
    """Runs the command line in this process."""

    def invoke(*args, **options):
        result = CliRunner().invoke(main, [str(arg) for arg in args], **options)
        assert "Traceback" not in result.output
        return result

    return invoke
