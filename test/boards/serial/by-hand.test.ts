import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../testkit/network/free-port.js';
import { untilOpen } from '../../../testkit/network/until-open.js';
import { readText, root } from '../../../testkit/repository/repository.js';
import { accountCases } from '../../../testkit/repository/vectors.js';

const page = readText(`docs/boards/${globalThis.BOARD}.md`);
const blocks = [...page.matchAll(/```\n([\s\S]*?)```/g)].map(([, text = '']) => text);
/** Expected output of the page's last command. Without a panel, no words are entered and no seed is open. */
const SAID = { riscv: accountCases[0]!.address, lm3s6965: 'Locked', pico: '', 'mps2-an505': '' };
let directory: string;
let machine: ChildProcess | undefined;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'by-hand-'));
  for (const name of ['cli', 'dist']) symlinkSync(join(root, name), join(directory, name));
});
afterAll(() => {
  machine?.kill();
  rmSync(directory, { recursive: true });
});

test('the commands in the documentation of the board start it and reach it', async () => {
  const port = await freePort();
  const at = blocks.findIndex(text => text.includes('-serial tcp:127.0.0.1:4444'));
  const [start, use] = blocks.slice(at, at + 2).map(text => text.replaceAll('4444', String(port)));
  const script = start!.replace(/^qemu-/m, 'exec qemu-');
  machine = spawn('sh', ['-e', '-c', script], { cwd: directory, stdio: ['pipe', 'ignore', 'inherit'] });
  await untilOpen(port);
  const options = { cwd: directory, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', use!], options);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(stdout).toContain(SAID[globalThis.BOARD]);
});
