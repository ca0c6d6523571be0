import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Emulator, record, type Trace } from '@zbc-signer/emulator';
import { renderTest } from '@zbc-signer/emulator/trace';
import { GET_APP_VERSION, send, signTransaction } from '../../../testkit/device/apdu.js';
import { CONFIRM_ADDRESS_HEX, CONFIRMED_HEX } from '../../../testkit/device/confirmed-account.js';
import { payment } from '../../../testkit/device/payment.js';
import { runToEnd } from '../../../testkit/process/run-to-end.js';
import { root } from '../../../testkit/repository/repository.js';
import { until } from '../../../testkit/time/until.js';
import { CASES } from './ragger.js';

/**
 * Actions of Ragger 1.47 and Speculos's client 0.27, neither of which Debian has, at the start and the end of
 * a test.
 */
const RAGGER = {
  'ragger/__init__.py': '',
  'ragger/utils.py': `
def find_application(base_dir, device, sdk):
    raise AssertionError("no app was built")
`,
  'speculos/__init__.py': '',
  'speculos/client.py': `
import subprocess
import sys


class SpeculosInstance:
    def __init__(self, app, args):
        self.app, self.args = app, args + ["--display", "headless"]

    def start(self):
        self.process = subprocess.Popen([sys.executable, "-m", "speculos", *self.args, self.app])

    def stop(self):
        self.process.terminate()


class SpeculosClient(SpeculosInstance):
    def __init__(self, app, args, api_url):
        super().__init__(app, args)
        self.api_url = api_url

    def __enter__(self):
        SpeculosInstance.start(self)
        return self

    def __exit__(self, *_):
        SpeculosInstance.stop(self)
`,
  'conftest.py': `
import json
from urllib.request import urlopen

import pytest
from ragger.utils import find_application
from speculos.client import SpeculosClient


@pytest.fixture
def backend():
    app = find_application("build", "nanos2", "c")
    assert app.read_bytes().startswith(b"\\x7fELF")
    args = ["--model", "nanosp", "--api-port", "5000", "--apdu-port", "5001"]
    with SpeculosClient(str(app), args, "http://127.0.0.1:5000") as client:
        yield client


@pytest.fixture
def exchange(backend):
    def exchange(apdu):
        with urlopen(backend.api_url + "/apdu", json.dumps({"data": apdu}).encode()) as answer:
            return json.load(answer)["data"]
    return exchange
`,
};

/** A test file for Ragger and for the client that Speculos brings. */
const RAGGER_TEST = `
import json
from pathlib import Path

import pytest
from ragger.backend import RaisePolicy
from speculos.client import SpeculosClient

HERE = Path(__file__).parent


@pytest.mark.parametrize("case", json.loads((HERE / "cases.json").read_text()), ids=lambda case: case["name"])
def test_review(backend, scenario_navigator, case):
    backend.raise_policy = RaisePolicy.RAISE_NOTHING
    *before, last = map(bytes.fromhex, case["commands"])
    for command in before:
        assert backend.exchange_raw(command).status == 0x9000
    decide = getattr(scenario_navigator, case["scenario"])
    with backend.exchange_async_raw(last):
        decide(HERE, case["name"], do_comparison=case["screens"] is not None)
    reply = backend.last_async_response
    assert reply.data.hex() + f"{reply.status:04x}" == case["reply"]


def test_wrong_screen(backend, scenario_navigator):
    with pytest.raises(AssertionError, match="does not match golden"):
        with backend.exchange_async_raw(bytes.fromhex("${CONFIRM_ADDRESS_HEX}")):
            scenario_navigator.address_review_approve(HERE, "address-rejected")


def test_client():
    with SpeculosClient("app.elf", ["--model", "nanosp"]) as client:
        with client.apdu_exchange_nowait(cla=0xE0, ins=5, p1=1, data=bytes(4)) as response:
            client.wait_for_text_event("Address")
            client.press_and_release("right")
            client.wait_for_text_event("Approve")
            client.press_and_release("both")
            assert response.receive().hex() + "9000" == "${CONFIRMED_HEX}"
        client.wait_for_text_event("is ready")
`;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pytest-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
}

const PLUGIN = ['-p', 'zbc_signer.pytest_plugin', '-p', 'no:cacheprovider'];

/** Directories with Ragger and Speculos, and those of their modules that this Python lacks, as in PYTHONPATH. */
const { RAGGER: checkout = '' } = process.env;

const variablesFor = (program: string) => ({
  PYTHONPATH: [join(root, 'emulator/python/src'), directory, checkout].filter(Boolean).join(':'),
  PYTHONDONTWRITEBYTECODE: '1',
  ZBC_SPECULOS: program,
});

const SPECULOS = join(root, 'emulator/bin/zbc-speculos.js');

/** Runs Debian's pytest, with the package loaded like an installed one. */
const pytest = (words: readonly string[] = [], program = SPECULOS) =>
  runToEnd('pytest-3', [...PLUGIN, ...words], directory, variablesFor(program));

/** Records a session with a request for the version, and a payment. */
async function recordSession(): Promise<Trace> {
  const emulator = await Emulator.start();
  const recorder = record(emulator);
  await emulator.exchange(GET_APP_VERSION);
  const signed = send(apdu => emulator.exchange(apdu), signTransaction(payment));
  await emulator.approve();
  await signed;
  await emulator.stop();
  return recorder.stop();
}

test('a recorded session can be exported as a pytest test, which fails where a screen differs', async () => {
  const source = renderTest(await recordSession(), 'pytest', 'pays a friend');
  write({ 'test_recorded.py': source });
  expect(await pytest()).toMatchObject({ failed: false, output: expect.stringContaining('1 passed') });
  write({ 'test_recorded.py': source.replace('"Amount", "', '"Amount", "9') });
  const failing = await pytest();
  expect(failing).toMatchObject({ failed: true, output: expect.stringContaining('AssertionError') });
});

test('each test of each worker has a separate device', async () => {
  write({
    'test_devices.py': `
import pytest

@pytest.mark.parametrize("_", range(6))
def test_address(zbc_signer, _):
    reply = zbc_signer.begin(bytes.fromhex("${CONFIRM_ADDRESS_HEX}"))
    while "Approve" not in zbc_signer.texts():
        zbc_signer.press("right")
    zbc_signer.press("both")
    assert reply.result(10).hex() == "${CONFIRMED_HEX}"
    zbc_signer.shows(["ZBC Signer", "is ready"])
`,
  });
  expect(await pytest(['-n', '3'])).toMatchObject({
    failed: false,
    output: expect.stringContaining('6 passed'),
  });
});

test('Ragger starts this program, on ports that no other worker has', async () => {
  write({
    ...RAGGER,
    'test_ragger.py': `
import pytest

@pytest.mark.parametrize("_", range(6))
def test_version(exchange, _):
    assert exchange("e003000000").endswith("9000")
`,
  });
  expect(await pytest(['-n', '3'])).toMatchObject({
    failed: false,
    output: expect.stringContaining('6 passed'),
  });
});

const withRagger = checkout === '' ? test.skip : test;

withRagger('Ragger itself decides reviews, and finds every screen as it was reviewed', async () => {
  const cases = CASES.map((each, at) => ({ ...each, name: each.screens ?? `case-${at}` }));
  write({
    // Ragger looks for the directory of a repository.
    '.git/HEAD': '',
    'ledger_app.toml': '[app]\nbuild_directory = "./"\nsdk = "C"\ndevices = ["nanox", "nanos+"]\n',
    'tests/conftest.py': 'pytest_plugins = ("ragger.conftest.base_conftest",)\n',
    'tests/cases.json': JSON.stringify(cases),
    'tests/test_ragger.py': RAGGER_TEST,
  });
  cpSync(join(root, 'test/qa/snapshots'), join(directory, 'tests/snapshots/nanosp'), { recursive: true });
  const { failed, output } = await pytest(['tests', '--device', 'nanosp']);
  expect({ failed, output }).toMatchObject({ failed: false, output: expect.stringContaining('10 passed') });
});

test("a program that is missing or ends at once fails the test with a remedy or the program's own message", async () => {
  write({ 'test_one.py': 'def test_one(zbc_signer):\n    pass\n' });
  const { failed, output } = await pytest([], '/nowhere/zbc-speculos');
  expect({ failed, output }).toMatchObject({ failed: true, output: expect.stringContaining('ZBC_SPECULOS') });
  write({
    'test_one.py': `
import pytest
from zbc_signer import Emulator, ZbcSignerError

def test_one():
    with pytest.raises(ZbcSignerError, match="--vnc-port is not supported"):
        Emulator("--vnc-port=5900")
`,
  });
  expect(await pytest()).toMatchObject({ failed: false });
});

test.each([
  ['leaves a review open', '', 'waited for the user[\\s\\S]* Address\\n'],
  [
    'never reads a reply',
    'while "Approve" not in zbc_signer.texts(): zbc_signer.press("right")\n    zbc_signer.press("both")\n    wait(reply)',
    'was never read',
  ],
])('a test that %s fails with STILL_PENDING', async (_, act, said) => {
  write({
    'test_left.py': `
def wait(reply):
    while not reply.done(): pass

def test_left(zbc_signer):
    reply = zbc_signer.begin(bytes.fromhex("${CONFIRM_ADDRESS_HEX}"))
    while "Address" not in zbc_signer.texts()[0]: pass
    ${act}
`,
  });
  const { failed, output } = await pytest();
  expect({ failed, output }).toMatchObject({
    failed: true,
    output: expect.stringMatching(new RegExp(`STILL_PENDING: [^\n]*${said}`)),
  });
});

test.each([[[]], [['-n', '1']]])(
  'no emulator keeps running when the processes of pytest are killed: %j',
  async words => {
    write({
      'test_killed.py': `
import json, os, time

def test_killed(zbc_signer):
    with open("started.part", "w") as file:
        json.dump({"api": zbc_signer.api, "pid": os.getpid()}, file)
    os.rename("started.part", "started")
    time.sleep(60)
`,
    });
    const env = { PATH: process.env.PATH, ...variablesFor(SPECULOS) };
    const child = spawn('pytest-3', [...PLUGIN, ...words], { cwd: directory, env, stdio: 'ignore' });
    const started = join(directory, 'started');
    await until(() => existsSync(started));
    const { api, pid } = JSON.parse(readFileSync(started, 'utf8')) as { api: string; pid: number };
    child.kill('SIGKILL');
    // With pytest-xdist, the test runs in a worker. It is killed here at once, because execnet would end it
    // only some seconds later.
    if (pid !== child.pid) process.kill(pid, 'SIGKILL');
    await sleep(2000);
    await expect(fetch(`${api}/events`)).rejects.toThrow('fetch failed');
  },
);
