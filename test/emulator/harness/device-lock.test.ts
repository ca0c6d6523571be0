import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { lockDevice } from '#emulator/harness/device-lock.js';

const DEVICE = `http://127.0.0.1/${process.pid}`;
const digest = createHash('sha256').update(DEVICE).digest('hex').slice(0, 16);
const path = join(tmpdir(), `zbc-signer-${userInfo().username}-${digest}.lock`);

afterEach(() => rmSync(path, { force: true }));

test('only one test at a time can use the device', () => {
  const release = lockDevice(DEVICE);
  expect(existsSync(path)).toBe(true);
  expect(() => lockDevice(DEVICE)).toThrow('has not been stopped');
  release();
  expect(existsSync(path)).toBe(false);
});

// Process 0 would mean this process's group, which is alive.
test.each(['', '0', '-1', 'x', '999999999'])(
  'a lock file that an ended process left behind does not lock the device: %p',
  content => {
    writeFileSync(path, content);
    lockDevice(DEVICE)();
    expect(existsSync(path)).toBe(false);
  },
);
