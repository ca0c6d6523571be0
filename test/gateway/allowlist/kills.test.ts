import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpRequest } from '../../../testkit/network/http.js';
import { startGatewayProcess } from '../../../testkit/network/network-processes.js';
import { endProcess } from '../../../testkit/process/child.js';

const HEADERS = { authorization: `Bearer ${'k'.repeat(43)}`, 'content-type': 'application/json' };
const KILLS = 3;
/** Number of changes before the one during which the process is killed. */
const CHANGES = 5;

test('every change that was answered is still stored after kill -9, and further changes are accepted', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
  const file = join(directory, 'allowlist.json');
  const done: number[] = [];
  const readRemoved = () =>
    JSON.parse(readFileSync(file, 'utf8')).removed.map(({ port }: { port: number }) => port) as number[];
  let port = 0;
  try {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const gateway = await startGatewayProcess(directory, { state_file: file }, { stderr: 'ignore' });
      const remove = async () => {
        port += 1;
        const body = JSON.stringify({ ip: '192.0.2.1', port });
        const url = `${gateway.url}/gateway/allowlist/remove`;
        return (await httpRequest('POST', url, { headers: HEADERS, body })).status;
      };
      for (let change = 0; change < CHANGES; change += 1) {
        expect(await remove()).toBe(200);
        done.push(port);
      }
      const cut = remove().catch(() => undefined);
      await endProcess(gateway);
      if ((await cut) === 200) done.push(port);
      const removed = readRemoved();
      expect(done.filter(each => !removed.includes(each))).toEqual([]);
    }
    expect(done.length).toBeGreaterThanOrEqual(KILLS * CHANGES);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
