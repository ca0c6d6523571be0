import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CoverageSummary,
  compareWithBaseline,
  Emulator,
  writeCoverageReport,
} from '@zbc-signer/emulator';
import { apdu, getPublicKey, send, signTransaction } from '../../../testkit/device/apdu.js';
import { root } from '../../../testkit/repository/repository.js';
import { refusalCases, transactionCases } from '../../../testkit/repository/vectors.js';

let parent: string;
let directory: string;
let emulator: Emulator;
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), 'coverage-'));
  directory = join(parent, 'coverage');
  emulator = await Emulator.start({ coverage: directory });
});
afterEach(() => {
  emulator.stop();
  rmSync(parent, { recursive: true });
});

interface Thing {
  kind: string;
  name: string;
  tests: string[];
  known?: false;
}

const report = (): Promise<CoverageSummary> => writeCoverageReport(directory);

async function things(): Promise<Thing[]> {
  await report();
  return JSON.parse(readFileSync(join(directory, 'screens.json'), 'utf8')).elements;
}

async function seen(kind: string): Promise<string[]> {
  return (await things())
    .filter(thing => thing.kind === kind && thing.tests.length > 0)
    .map(({ name }) => name);
}

async function approve(name: string): Promise<void> {
  const request = transactionCases.find(each => each.name === name)!;
  const reply = send(each => emulator.exchange(each), signTransaction(request));
  await emulator.approve();
  expect((await reply).status).toBe('9000');
}

const caseOf = (title: string, value = '') =>
  transactionCases.find(({ expect: { review } }) =>
    review.some(item => item[0] === title && item[1].includes(value)),
  )!.name;

test('everything in the protocol is listed, seen or not, with the test that saw it', async () => {
  const reply = emulator.exchange(getPublicKey(0, true));
  await emulator.approve();
  await reply;
  expect(await seen('title')).toEqual(['Address', 'Approve']);
  expect(await seen('decision')).toEqual(['address approved']);
  expect(await seen('menu page')).toEqual(['ZBC Signer: is ready']);
  expect(await seen('status word')).toEqual(['9000 OK']);
  expect(await seen('refusal reason')).toEqual([]);
  const all = await things();
  expect(all.find(({ name }) => name === 'Address')?.tests).toEqual([
    expect.stringMatching(/report\.test\.js: everything in the protocol is listed, seen or not/),
  ]);
  for (const name of ['Escrow sender', 'contact approved', 'message rejected'])
    expect(all.find(thing => thing.name === name)?.tests).toEqual([]);
});

test('refusals, rejections and cancelled reviews are distinguished', async () => {
  const refused = refusalCases.find(({ expect: { refusal } }) => refusal === 'UNSUPPORTED_TYPE')!;
  await send(each => emulator.exchange(each), signTransaction(refused));
  const rejected = emulator.exchange(getPublicKey(0, true));
  await emulator.reject();
  await rejected;
  const aborted = new AbortController();
  const cancelled = emulator.exchange(getPublicKey(0, true), aborted.signal);
  aborted.abort();
  await expect(cancelled).rejects.toThrow();
  expect(await seen('refusal reason')).toEqual(['type-unsupported']);
  expect(await seen('decision')).toEqual(['address rejected', 'address cancelled']);
  expect(await seen('status word')).toEqual(['9000 OK', 'B102 UNSUPPORTED_TYPE', '6985 USER_REJECTED']);
});

test('lists in Markdown what the baseline covered and this run does not', async () => {
  const baseline = join(parent, 'baseline.json');
  await approve(caseOf('Token amount'));
  await report();
  renameSync(join(directory, 'screens.json'), baseline);
  expect(await compareWithBaseline(await report(), baseline)).toEqual([]);
  emulator.stop();
  directory = join(parent, 'later');
  emulator = await Emulator.start({ coverage: directory });
  await approve(caseOf('Amount'));
  const lower = (await compareWithBaseline(await report(), baseline)).join('\n');
  expect(lower).toContain('title: Token amount');
  expect(lower).not.toContain('title: Recipient');
  const unseen = readFileSync(join(directory, 'screens.md'), 'utf8');
  expect(unseen).toMatch(/^- title: Token amount$/m);
  expect(unseen).not.toMatch(/title: Amount$/m);
  await expect(compareWithBaseline(await report(), join(directory, 'screens.md'))).rejects.toMatchObject({
    code: 'BAD_COVERAGE',
  });
});

test('every page of the menu is recognized and reported by name', async () => {
  for (const button of [
    'right',
    'both',
    'both',
    'right',
    'both',
    'right',
    'both',
    'right',
    'both',
    'right',
    'right',
  ] as const) {
    emulator.press(button);
  }
  expect((await things()).filter(({ known }) => known === false)).toEqual([]);
  expect(await seen('menu page')).toEqual([
    'Back',
    'Contacts only: No',
    'Contacts only: Yes',
    'Details: hidden',
    'Details: shown',
    'Settings',
    'Unknown chains: allowed',
    'Unknown chains: refused',
    'Version',
    'ZBC Signer: is ready',
  ]);
});

test('the report adds up all sessions, also of a process that was killed while it wrote a line', async () => {
  await emulator.exchange(apdu(0x03));
  const before = await report();
  const lines = ['null', '5', '{}', '{"test":1}', '{"test":"other","kind":"title","name":"Amount"}', '{"te'];
  writeFileSync(join(directory, 'sessions/1-other.jsonl'), lines.join('\n'));
  const after = await report();
  expect(after.tests).toEqual([...before.tests, 'other'].sort());
  expect(after.things.reached).toBe(before.things.reached + 1);
});

test('any module is observed, and what it shows beside the protocol is marked', async () => {
  const shown = Buffer.from(readFileSync(join(root, 'emulator/dist/zbc-signer.wasm')));
  const title = Buffer.from('is ready', 'utf16le');
  shown.write('is other', shown.indexOf(title), 'utf16le');
  emulator.stop();
  emulator = await Emulator.start({ coverage: directory, module: await WebAssembly.compile(shown) });
  const page = (await things()).find(({ name }) => name === 'ZBC Signer: is other');
  expect(page).toMatchObject({ kind: 'menu page', known: false });
});

test('a directory without coverage, and one that cannot be written to, are errors', async () => {
  await expect(writeCoverageReport(parent)).rejects.toMatchObject({ code: 'BAD_COVERAGE' });
  const file = join(parent, 'file');
  writeFileSync(file, '');
  await expect(Emulator.start({ coverage: join(file, 'coverage') })).rejects.toMatchObject({
    code: 'BAD_COVERAGE',
  });
});
