"""Starts the emulated ZBC signer from Python with the program zbc-speculos."""

import json
import os
import re
import shutil
import subprocess
import time
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError
from urllib.request import urlopen

__all__ = ["Emulator", "ZbcSignerError", "find_program"]

_READY = re.compile(r"zbc-speculos: REST (http://\S+), APDUs on port (\d+)")
_ANSWER_SECONDS = 10
_STOP_SECONDS = 5


_HINT = 'Approve or reject the review with press("both"), and then call result() on what begin() returned.'


class ZbcSignerError(Exception):
    """The emulator cannot be started, or it rejected a request."""


class _Reply(Future):
    """The reply to a command that opens a review."""

    is_read = False

    def __init__(self, apdu):
        super().__init__()
        self._apdu = apdu
        self.head = apdu[:5].hex() + "…"

    def settle(self, exchange):
        try:
            self.set_result(exchange(self._apdu))
        except BaseException as error:
            self.set_exception(error)

    def result(self, timeout=None):
        reply = super().result(timeout)
        self.is_read = True
        return reply

    def exception(self, timeout=None):
        self.is_read = True
        return super().exception(timeout)


def find_program() -> str:
    """The path of zbc-speculos: from ZBC_SPECULOS, the project's node_modules, or PATH."""
    named = os.environ.get("ZBC_SPECULOS")
    here = Path.cwd()
    local = [parent / "node_modules/.bin/zbc-speculos" for parent in (here, *here.parents)]
    found = named or next((str(path) for path in local if path.exists()), "zbc-speculos")
    path = shutil.which(found)
    if path is None:
        raise ZbcSignerError(
            f"the program {found} was not found: run npm install --save-dev /path/to/zbc-signer/emulator, "
            "or set ZBC_SPECULOS to the path of the program"
        )
    return path


class Emulator:
    """
    One emulated device in a process of its own, which runs until stop() or the end of a with statement. `options`
    are options of zbc-speculos, such as "--seed=...". Raises ZbcSignerError if the process does not start.
    """

    def __init__(self, *options: str, app: str = "app.elf"):
        command = [find_program(), *options, "--api-port=auto", "--apdu-port=auto", "--ends-with-stdin", app]
        # The pipe closes when this process ends, even if it is killed.
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._replies = []
        said = []
        for line in self._process.stderr:
            said.append(line)
            ready = _READY.match(line)
            if ready:
                break
        else:
            code = self._process.wait()
            raise ZbcSignerError(f"zbc-speculos ended with {code}: {''.join(said).strip()}")
        #: The URL of the emulator's REST interface.
        self.api = ready[1]
        #: The emulator's TCP port for APDUs.
        self.apdu_port = int(ready[2])
        # A pipe that nobody reads would block the emulator.
        Thread(target=self._process.stderr.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, error, *_):
        try:
            self.stop()
        except ZbcSignerError:
            # The error that ended the with statement matters more.
            if error is None:
                raise

    def stop(self):
        """
        Ends the process. Raises ZbcSignerError if a review of begin() is still open, or if the reply to begin() was
        never read.
        """
        try:
            fault = self._fault()
        finally:
            self._end()
        if fault:
            raise ZbcSignerError(f"STILL_PENDING: {fault}")

    def _fault(self):
        left = next((reply for reply in self._replies if not (reply.done() and reply.is_read)), None)
        if left is None:
            return None
        if left.done():
            return f"the reply to APDU {left.head} was never read: call result() on what begin() returned"
        lines = "".join(f"  {text}\n" for text in self.texts())
        return f"APDU {left.head} waited for the user when the emulator was stopped:\n\n{lines}\n{_HINT}"

    def _end(self):
        self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def exchange(self, apdu: bytes) -> bytes:
        """The reply to a command, with its status word; waits while the user decides."""
        return bytes.fromhex(self._call("/apdu", {"data": apdu.hex()}, timeout=None)["data"])

    def begin(self, apdu: bytes) -> "Future[bytes]":
        """Sends a command that opens a review; its reply arrives when the user has decided."""
        reply = _Reply(apdu)
        self._replies.append(reply)
        Thread(target=lambda: reply.settle(self.exchange), daemon=True).start()
        return reply

    def press(self, button: str):
        """Presses and releases "left", "right" or "both"."""
        self._call(f"/button/{button}", {"action": "press-and-release"})

    def texts(self) -> "list[str]":
        """The texts on the screen, from the top."""
        return [event["text"] for event in self._call("/events?currentscreenonly=true")["events"]]

    def shows(self, texts: "list[str]", seconds: float = 5):
        """Waits until the screen shows these texts; raises AssertionError if it does not within `seconds`."""
        end = time.monotonic() + seconds
        while self.texts() != texts and time.monotonic() < end:
            time.sleep(0.02)
        assert self.texts() == texts

    def _call(self, path, body=None, timeout=_ANSWER_SECONDS):
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(self.api + path, data, timeout) as answer:
                return json.load(answer)
        except HTTPError as error:
            said = error.read(10_000).decode(errors="replace")
            raise ZbcSignerError(f"{path} was answered with status {error.code}: {said}") from None
