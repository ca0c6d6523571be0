import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SignerReporter, { type SignerReporterOptions } from '@zbc-signer/emulator/jest-reporter';
import { CHANGED, writeFiles } from '../../testkit/screen/changed-snapshots.js';

let rootDir: string;

beforeEach(() => {
  rootDir = mkdtempSync(join(tmpdir(), 'reporter-'));
});
afterEach(() => rmSync(rootDir, { recursive: true }));

const MESSAGE = `\u001b[31mSnapshotMismatchError: snapshots in /p/s:
  00001.png (Amount / 2): 3 of 8192 pixels differ, see /p/s-failed/00001.diff.png

trace: /tmp/t/a b.trace
zbc-signer trace open '/tmp/t/a b.trace'`;

const result = (title: string, status: string, failureMessages: string[] = []) => ({
  title,
  ancestorTitles: ['group'],
  status,
  duration: 20,
  failureMessages,
});

/** Calls the reporter like Jest. */
async function report(options?: SignerReporterOptions): Promise<void> {
  const testResults = [
    {
      testFilePath: join(rootDir, 'a.test.js'),
      testResults: [
        result('signs', 'passed'),
        result('shows', 'failed', [MESSAGE]),
        result('later', 'pending'),
      ],
    },
    {
      testFilePath: join(rootDir, 'b.test.js'),
      testResults: [],
      testExecError: {},
      failureMessage: 'Cannot find module x',
    },
  ];
  await new SignerReporter({ rootDir }, options).onRunComplete(new Set(), { testResults });
}

test('the JUnit file names the trace and the pictures of a failed test', async () => {
  await report({ junit: 'out/junit.xml' });
  const xml = readFileSync(join(rootDir, 'out/junit.xml'), 'utf8');
  expect(xml).toContain('<testsuites name="jest" tests="4" failures="2" skipped="1">');
  expect(xml).toContain('<testcase classname="a.test.js" name="group › shows" time="0.020">');
  expect(xml).toContain('<failure message="SnapshotMismatchError: snapshots in /p/s:">');
  expect(xml).toContain('[[ATTACHMENT|/p/s-failed/00001.diff.png]]\n[[ATTACHMENT|/tmp/t/a b.trace]]\n');
  expect(xml).toContain('<skipped message="pending"/>');
  expect(xml).toContain('<failure message="Cannot find module x"/>');
});

test('one page lists every changed snapshot, and is written only if there is one', async () => {
  await report({ differences: 'out/differences.html' });
  expect(readdirSync(rootDir)).toEqual([]);
  writeFiles(rootDir, CHANGED);
  const { write } = process.stderr;
  let said = '';
  process.stderr.write = (text: string | Uint8Array) => (said += text) !== '';
  await report({ differences: 'out/differences.html' });
  process.stderr.write = write;
  expect(said).toContain(`4 changed snapshots: ${join(rootDir, 'out/differences.html')}`);
  const page = readFileSync(join(rootDir, 'out/differences.html'), 'utf8');
  expect(page).toContain('<title>4 changed snapshots</title>');
});

test('nothing is written without options', async () => {
  await report();
  expect(readdirSync(rootDir)).toEqual([]);
});
