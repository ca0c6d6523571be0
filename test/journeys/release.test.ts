import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type Devnet, startDevnet } from '@zbc-signer/devnet';
import { httpRequest } from '../../testkit/network/http.js';
import { endProcess } from '../../testkit/process/child.js';
import { PROGRAM } from '../../testkit/process/program.js';

const VERSION = '1.1.0';

let directory: string;
let devnet: Devnet;
let node: ChildProcess | undefined;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'zbc-release-'));
  devnet = await startDevnet();
});
afterAll(async () => {
  if (node) await endProcess({ child: node });
  await devnet.stop();
  rmSync(directory, { recursive: true });
});

/** A PATH with `zbc-signer` installed by npm. */
function pathWithProgram(): string {
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(join(bin, 'zbc-signer'), script, { mode: 0o755 });
  return `${bin}${delimiter}${process.env.PATH}`;
}

test('the release that the network publishes installs a node that runs', async () => {
  const { body } = await httpRequest('GET', `${devnet.url}/install`);
  const installer = join(directory, 'install.sh');
  writeFileSync(installer, body);
  const target = join(directory, 'installed');
  const env = { ...process.env, ZBC_INSTALL_DIR: target, PATH: pathWithProgram() };
  await promisify(execFile)('sh', [installer], { env });
  const program = join(target, VERSION, 'zbc-node');
  node = spawn(program, ['--port', '0', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(node.stdout!), 'line');
  const { url, genesis_hash } = JSON.parse(line);
  const info = JSON.parse((await httpRequest('GET', `${url}/api/v1/node/info`)).body.toString());
  expect(info).toMatchObject({ genesis_hash, signing_version: 2 });
});
