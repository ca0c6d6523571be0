// Runs in the guest: the README's commands for plugging in the emulator, as a user pastes them.
import assert from 'node:assert/strict';
import { exec, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const [, emulator = '', attach = '', list = ''] =
  /^(npx zbc-signer emulator --usbip-port \d+)[^\n]*\n(sudo [^\n]*usbip attach[^\n]*)\n(lsusb[^\n]*)$/m.exec(
    README,
  ) ?? [];

test('three commands of the README show the emulator in lsusb', { timeout: 300_000 }, async () => {
  const child = spawn('sh', ['-c', `exec ${emulator}`], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    let output = '';
    for await (const chunk of child.stdout) {
      output += chunk;
      if (/Ready/.test(output)) break;
    }
    // The guest runs as root, without sudo.
    const run = promisify(exec);
    await run(`sudo() { "$@"; }; ${attach}`, { cwd: project });
    let listed = '';
    for (let tries = 0; listed === '' && tries < 100; tries += 1) {
      ({ stdout: listed } = await run(list).catch(() => ({ stdout: '' })));
    }
    assert.match(listed, /ID 1209:0001/);
  } finally {
    process.kill(-child.pid!, 'SIGTERM');
    await once(child, 'close');
  }
});
