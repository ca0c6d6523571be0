import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { httpRequest } from '../../../testkit/network/http.js';
import { startGatewayProcess } from '../../../testkit/network/network-processes.js';
import { endProcess } from '../../../testkit/process/child.js';

const KEY = 'k'.repeat(43);
const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

test('a change on a full disk is answered 503 and loses no earlier change, and changes are stored again once there is space', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
  const file = join(directory, 'allowlist.json');
  const node = await RecordingNode.start('full');
  const fields = { static_nodes: [{ url: `http://${node.ip}:${node.port}` }], state_file: file };
  const gateway = await startGatewayProcess(directory, fields, { stderr: 'ignore' });
  const remove = async (port: number) => {
    const body = JSON.stringify({ ip: '192.0.2.1', port });
    const url = `${gateway.url}/gateway/allowlist/remove`;
    const reply = await httpRequest('POST', url, { headers: HEADERS, body });
    return [reply.status, JSON.parse(reply.body.toString()).error];
  };
  const removed = () =>
    JSON.parse(readFileSync(file, 'utf8')).removed.map((each: { port: number }) => each.port);
  // A limit of file sizes causes the same error as a full disk.
  const limitFiles = (bytes: string) =>
    execFileSync('prlimit', ['--pid', `${gateway.child.pid}`, `--fsize=${bytes}:`]);
  try {
    expect(await remove(1)).toEqual([200, undefined]);
    limitFiles('0');
    expect(await remove(2)).toEqual([503, `state_file: ${file}: cannot be written (EFBIG)`]);
    expect((await httpRequest('GET', `${gateway.url}/api/v1/tokens`)).status).toBe(200);
    expect(removed()).toEqual([1]);
    expect(readdirSync(directory).sort()).toEqual(['allowlist.json', 'gateway.json']);
    limitFiles('unlimited');
    expect(await remove(3)).toEqual([200, undefined]);
    expect(removed()).toEqual([1, 3]);
  } finally {
    await endProcess(gateway);
    await node.stop();
    rmSync(directory, { recursive: true });
  }
});
