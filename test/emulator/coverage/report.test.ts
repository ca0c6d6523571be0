import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CoverageError,
  type CoverageSummary,
  compareWithBaseline,
  Emulator,
  writeCoverageReport,
} from '@zbc-signer/emulator';
import { apdu, getPublicKey, send, signTransaction } from '../../../testkit/device/apdu.js';
import { root } from '../../../testkit/repository/repository.js';
import { refusalCases, transactionCases } from '../../../testkit/repository/vectors.js';

const OTHER_FIRMWARE = `${JSON.stringify({ firmware: '00'.repeat(32) })}\n${JSON.stringify({ test: 'alien' })}\n`;

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
  return JSON.parse(readFileSync(join(directory, 'screens.json'), 'utf8')).things;
}

async function seen(kind: string): Promise<string[]> {
  return (await things())
    .filter(thing => thing.kind === kind && thing.tests.length > 0)
    .map(({ name }) => name);
}

/** The number of tests that reached a line, found by its text; undefined if no instruction belongs to it. */
async function testsOf(source: string, text: string, prefix = 'DA'): Promise<string[]> {
  await report();
  const path = `firmware/assembly/${source}`;
  const line =
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .findIndex(each => each.includes(text)) + 1;
  expect(line).toBeGreaterThan(0);
  const record = readFileSync(join(directory, 'lcov.info'), 'utf8')
    .split(`SF:${path}\n`)[1]!
    .split('end_of_record')[0]!;
  return record
    .split('\n')
    .filter(each => each.startsWith(`${prefix}:${line},`))
    .map(each => each.split(',').at(-1)!);
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

test('a line counts as reached only when a test executes it', async () => {
  await emulator.exchange(apdu(0x03));
  expect(await testsOf('handlers/get-app-version.ts', 'PROTOCOL_VERSION)')).toEqual(['1']);
  expect(await testsOf('review/transfer-token.ts', 'putTokenAmount(items, transaction.amount)')).toEqual([
    '0',
  ]);
  await approve(caseOf('Amount'));
  expect(await testsOf('review/send-zbc.ts', 'putCoinSum(items')).toEqual(['1']);
  expect(await testsOf('review/transfer-token.ts', 'putTokenAmount(items, transaction.amount)')).toEqual([
    '0',
  ]);
  await approve(caseOf('Token amount'));
  expect(await testsOf('review/transfer-token.ts', 'putTokenAmount(items, transaction.amount)')).toEqual([
    '1',
  ]);
});

test('a branch has two directions, which are counted only after the branch is reached', async () => {
  const decision = () => testsOf('review/approval-escrow.ts', "? 'APPROVE' : 'REJECT'", 'BRDA');
  await emulator.exchange(apdu(0x03));
  expect(await decision()).toEqual(['-', '-']);
  await approve(caseOf('Escrow decision', 'APPROVE'));
  expect((await decision()).sort()).toEqual(['0', '1']);
  await approve(caseOf('Escrow decision', 'REJECT'));
  expect(await decision()).toEqual(['1', '1']);
});

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
  expect(all.find(({ name }) => name === 'Escrow sender')?.tests).toEqual([]);
  const page = readFileSync(join(directory, 'screens.html'), 'utf8');
  expect(page).toContain('<h2>Decisions: 1 of 9 (11.1 %)</h2>');
  expect(page).toMatch(/<th scope="row">Escrow sender<\/th><td class="not">no/);
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
  await expect(compareWithBaseline(await report(), join(directory, 'lcov.info'))).rejects.toThrow(
    CoverageError,
  );
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
    'right',
  ] as const) {
    emulator.press(button);
  }
  expect((await things()).filter(({ known }) => known === false)).toEqual([]);
  expect(await seen('menu page')).toEqual([
    'Back',
    'Details: hidden',
    'Details: shown',
    'Settings',
    'Unknown chains: allowed',
    'Unknown chains: refused',
    'Version',
    'ZBC Signer: is ready',
  ]);
});

test('the report adds up all sessions, including one of a process that was killed while it wrote a line', async () => {
  await emulator.exchange(apdu(0x03));
  const before = await report();
  const [name = ''] = readdirSync(join(directory, 'sessions'));
  const own = readFileSync(join(directory, 'sessions', name), 'utf8');
  const header = own.slice(0, own.indexOf('\n') + 1);
  const other = join(directory, 'sessions/1-other.jsonl');
  writeFileSync(
    other,
    `${header}${JSON.stringify({ test: 'other', seen: [['title', 'Amount']] })}\n{"test":"cut`,
  );
  appendFileSync(other, '');
  const after = await report();
  expect(after.tests).toEqual([...before.tests, 'other'].sort());
  expect(after.things.reached).toBe(before.things.reached + 1);
  expect(after.lines).toEqual(before.lines);
});

test('lines that no emulator wrote are ignored', async () => {
  await emulator.exchange(apdu(0x03));
  const before = await report();
  const [name = ''] = readdirSync(join(directory, 'sessions'));
  const other = join(directory, 'sessions/1-other.jsonl');
  const [header] = readFileSync(join(directory, 'sessions', name), 'utf8').split('\n');
  const lines = ['null', '5', '{}', '{"test":1}', '{"test":"a","probes":5}', '{"test":"a","seen":[1]}'];
  writeFileSync(other, [header, ...lines, '{"test":"b","seen":[["title","Amount"]]}', ''].join('\n'));
  writeFileSync(join(directory, 'sessions/2-null.jsonl'), 'null\n');
  const after = await report();
  expect(after).toMatchObject({ tests: [...before.tests, 'b'].sort(), lines: before.lines, foreign: 1 });
});

test('sessions of another firmware are excluded, and the report gives their number', async () => {
  writeFileSync(join(directory, 'sessions/2-other.jsonl'), OTHER_FIRMWARE);
  expect(await report()).toMatchObject({ foreign: 1 });
  expect((await report()).tests).not.toContain('alien');
});

test('a directory without coverage, and one that cannot be written to, are errors', async () => {
  await expect(writeCoverageReport(parent)).rejects.toThrow(CoverageError);
  const file = join(parent, 'file');
  writeFileSync(file, '');
  await expect(Emulator.start({ coverage: join(file, 'coverage') })).rejects.toThrow(CoverageError);
});

describe('two tests that share a device', () => {
  let shared: Emulator;
  let place: string;
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'coverage-'));
    shared = await Emulator.start({ coverage: place });
  });
  afterAll(() => {
    shared.stop();
    rmSync(place, { recursive: true });
  });

  test('the first requests the version', async () => {
    await shared.exchange(apdu(0x03));
  });

  test('the second presses a button, and is not credited with the code that the first reached', async () => {
    shared.press('right');
    await writeCoverageReport(place);
    const lcov = readFileSync(join(place, 'lcov.info'), 'utf8');
    const [, record = ''] = lcov.split('SF:firmware/assembly/handlers/get-app-version.ts\n');
    const counts = [...record.split('end_of_record')[0]!.matchAll(/^DA:\d+,(\d+)/gm)].map(
      ([, count]) => count,
    );
    expect(new Set(counts)).toEqual(new Set(['1']));
  });
});
