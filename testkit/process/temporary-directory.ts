import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a temporary directory. It is deleted when this process ends, also after Ctrl-C. */
export function openDirectory(prefix: string): string {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  return directory;
}

/** Creates a temporary directory for a test file. It is deleted after the last test of the file. */
export function openTestDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'zbc-test-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  return directory;
}
