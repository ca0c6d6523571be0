import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../testkit/network/free-port.js';
import { untilOpen } from '../../../testkit/network/until-open.js';
import { readText, root } from '../../../testkit/repository/repository.js';

const page = readText('docs/boards/mps2-an505.md');
const [restart] = /^cat > restart[\s\S]*?^END\n/m.exec(readText('docs/PORTING.md'))!;
const [start, connect, use] = [...page.split('## Start it')[1]!.matchAll(/```\n([\s\S]*?)```/g)].map(
  ([, text]) => text!,
);
/** The group about words, keys, reviews and a host that disconnects. All groups take minutes. */
const GROUPS = process.env.ALL_CASES === '1' ? '' : ' --only cancel';
let directory: string;
const running: ChildProcess[] = [];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'mps2-an505-'));
  for (const name of ['cli', 'dist']) symlinkSync(join(root, name), join(directory, name));
});
afterAll(() => {
  for (const program of running) program.kill();
  rmSync(directory, { recursive: true });
});

test('the signer conforms with the commands of docs/boards/mps2-an505.md, with the host in the non-secure world', async () => {
  const ports: Record<string, number> = {};
  for (const name of ['4443', '4444', '4445', '4446']) ports[name] = await freePort();
  const onPorts = (text: string) => text.replace(/\b444[3-6]\b/g, name => String(ports[name]));
  for (const [command, name] of [
    [start!, '4445'],
    [connect!, '4443'],
  ] as const) {
    running.push(spawn('sh', ['-c', `exec ${onPorts(command)}`], { cwd: directory, stdio: 'ignore' }));
    await untilOpen(ports[name]!);
  }
  const conform = restart + use!.trim() + GROUPS;
  const options = { cwd: directory, encoding: 'utf8' } as const;
  const { status, stdout } = spawnSync('sh', ['-e', '-c', onPorts(conform)], options);
  expect({ status, stdout }).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('The signer conforms'),
  });
}, 1_800_000);
