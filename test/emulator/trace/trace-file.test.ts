import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emulator, parseTrace, TraceFile } from '@zbc-signer/emulator';
import { openCommand } from '#emulator/review/failure-trace.js';
import { GET_APP_VERSION, getPublicKey } from '../../../testkit/device/apdu.js';

test('two sessions with one file do not mix: the file contains all of the later session', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'trace-file-'));
  const path = join(directory, 'a.trace');
  const [first, second] = [await Emulator.start(), await Emulator.start()];
  const before = new TraceFile(first, path).open();
  await first.exchange(GET_APP_VERSION);
  const after = new TraceFile(second, path);
  // The file includes earlier steps, and the other session's file stays until it is opened.
  await second.exchange(getPublicKey(9));
  expect(parseTrace(readFileSync(path, 'utf8')).steps).toHaveLength(1);
  after.open();
  for (const index of [0, 1, 2]) {
    await second.exchange(getPublicKey(index));
    await first.exchange(GET_APP_VERSION);
  }
  for (const each of [before, after]) each.close();
  for (const each of [first, second]) each.stop();
  const { steps } = parseTrace(readFileSync(path, 'utf8'));
  const sent = [9, 0, 1, 2].map(index => Buffer.from(getPublicKey(index)).toString('hex'));
  expect(steps.map(step => ('apdu' in step ? step.apdu : ''))).toEqual(sent);
  rmSync(directory, { recursive: true });
});

test.each(['/tmp/a.trace', '/tmp/a b', "/it's", '/x/$(id)`id`\\"*?~#', '-rf', '~', 'ä', '', 'a\nb'])(
  'a shell passes the path %p on unchanged',
  path => {
    const { stdout } = spawnSync(
      'sh',
      ['-c', openCommand(path).replace('zbc-signer trace open', 'printf %s')],
      { encoding: 'utf8' },
    );
    expect(stdout.replace(/^\.\//, '')).toBe(path);
  },
);
