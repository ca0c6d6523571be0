import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../testkit/network/free-port.js';
import { root } from '../../../testkit/repository/repository.js';

const PROGRAM = join(root, 'cli/bin/zbc-signer.js');

/** Runs a command in a terminal until it is ready, closes the terminal, and asks the command to end. */
const CLOSE_TERMINAL = `
import os, pty, subprocess, sys
master, terminal = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdin=terminal, stdout=terminal, stderr=terminal)
os.close(terminal)
shown = b''
while b'Ready' not in shown:
    shown += os.read(master, 4096)
os.close(master)
child.terminate()
try:
    child.wait(120)
    print('ended')
except subprocess.TimeoutExpired:
    child.kill()
    print('runs on')
`;

test('a gateway whose terminal was closed still ends at SIGTERM', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'zbc-terminal.'));
  const config = join(directory, 'gateway.json');
  const port = String(await freePort());
  spawnSync(process.execPath, [PROGRAM, 'gateway', 'init', config, '--listen-port', port]);
  const command = [process.execPath, PROGRAM, 'gateway', '--config', config];
  const { stdout } = spawnSync('python3', ['-c', CLOSE_TERMINAL, ...command], { encoding: 'utf8' });
  rmSync(directory, { recursive: true });
  expect(stdout).toBe('ended\n');
});
