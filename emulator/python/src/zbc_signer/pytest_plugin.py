"""The plugin for pytest. It has a fixture, and makes Ragger start the emulator instead of Speculos."""

import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from . import Emulator, find_program


@pytest.fixture
def zbc_signer():
    """An emulated device with the test seed, which is stopped at the end of the test."""
    with Emulator() as emulator:
        yield emulator


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests():
    """
    Replaces functions of Ragger and of Speculos's client before a conftest.py imports them. If one of the two is not
    installed, nothing is replaced.
    """
    try:
        import ragger.utils
        from speculos.client import SpeculosInstance
    except ImportError:
        return
    ragger.utils.find_application = _find_application
    SpeculosInstance.start = _start
    SpeculosInstance.stop = _stop


@cache
def _directory():
    """A temporary directory, which is deleted at the end of the process."""
    return tempfile.TemporaryDirectory(prefix="zbc-signer-")


def _find_application(*_):
    """Returns a substitute app, the same for every device. Ragger reads from it which graphics library it uses."""
    app = Path(_directory().name) / "app.elf"
    if not app.exists():
        subprocess.run([find_program(), "--stub-elf", app], check=True)
    return app


def _start(self):
    """
    Starts the emulator on ports that the system chooses. Another process of pytest may have taken the free ports
    that Ragger found.
    """
    words = iter(self.args)
    options = []
    for word in words:
        if word in ("--api-port", "--apdu-port"):
            next(words)
        else:
            options.append(word)
    self.emulator = Emulator(*options, app=self.app)
    self.api_url = self.emulator.api


def _stop(self):
    self.emulator.stop()
