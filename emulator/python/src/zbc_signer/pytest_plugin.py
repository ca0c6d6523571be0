"""The plugin for pytest: a fixture, and for Ragger the emulator in place of Speculos."""

import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from . import Emulator, find_program


@pytest.fixture
def zbc_signer():
    """An emulated device with the test seed, which ends with the test."""
    with Emulator() as emulator:
        yield emulator


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests():
    """Before a conftest.py imports Ragger: without it, or without Speculos's client, nothing is replaced."""
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
    """Deleted at the end of the process."""
    return tempfile.TemporaryDirectory(prefix="zbc-signer-")


def _find_application(*_):
    """An app for every device, which Ragger reads the graphics library from."""
    app = Path(_directory().name) / "app.elf"
    if not app.exists():
        subprocess.run([find_program(), "--stub-elf", app], check=True)
    return app


def _start(self):
    """
    With ports that the system gives: those that Ragger has looked for may be taken meanwhile by another process of
    pytest.
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
