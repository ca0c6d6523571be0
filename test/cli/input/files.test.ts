import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { warnIfReadable, writeBytes } from '#cli/input/files.js';
import { runCommand, startCli } from '../../../testkit/process/cli.js';
import { until } from '../../../testkit/time/until.js';

describe('an endless file', () => {
  test.each([
    ['tx', 'sign'],
    ['tx', 'submit'],
  ])('is rejected by %s', async (...words) => {
    const { code, stderr } = await runCommand([...words, '/dev/zero']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/longer than \d+ bytes/)]);
  });
});

describe('a named pipe', () => {
  let directory: string;
  let pipe: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'pipe-'));
    pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const holds = (pid: number, descriptor: string) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`) === pipe;
    } catch {
      // The descriptor was closed meanwhile.
      return false;
    }
  };
  /** Resolves once the process has opened the file. */
  const untilOpened = (pid: number) =>
    until(() => readdirSync(`/proc/${pid}/fd`).some(descriptor => holds(pid, descriptor)));

  test('is read to its end, even if its writer opens it late', async () => {
    const cli = startCli(['trace', 'open', pipe]);
    await untilOpened(cli.child.pid!);
    const writer = await open(pipe, 'w');
    await writer.write('no ');
    await writer.write('trace');
    await writer.close();
    const { code, stderr } = await cli.done;
    expect([code, stderr]).toEqual([2, expect.stringContaining('not a trace')]);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('does not delay %s when it has no writer', async signal => {
    const cli = startCli(['trace', 'open', pipe, '--json']);
    await untilOpened(cli.child.pid!);
    cli.child.kill(signal);
    const { code, stdout } = await cli.done;
    expect([code, JSON.parse(stdout).error.code]).toEqual([130, 'INTERRUPTED']);
  });
});

describe('a file that a command writes', () => {
  let directory: string;
  let path: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'written-'));
    path = join(directory, 'file');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('is readable by its owner only if it holds a secret', async () => {
    await writeBytes(path, 'secret', { secret: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('replaces another one only with --force', async () => {
    await writeBytes(path, 'first');
    await expect(writeBytes(path, 'second')).rejects.toThrow('already exists');
    expect(readFileSync(path, 'utf8')).toBe('first');
    await writeBytes(path, 'third', { force: true });
    expect(readFileSync(path, 'utf8')).toBe('third');
  });

  test.each([
    [0o600, 0],
    [0o640, 1],
    [0o602, 1],
  ])('of a secret with mode %i is warned about %i times', async (mode, times) => {
    await writeBytes(path, 'secret', { secret: true });
    chmodSync(path, mode);
    const warnings: string[] = [];
    await warnIfReadable('the key', path, { warn: (line: string) => warnings.push(line) } as never);
    expect(warnings).toHaveLength(times);
  });
});
