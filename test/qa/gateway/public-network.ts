// Starts nodes with public addresses in a separate network namespace, and prints the report of a gateway in
// public mode.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpRequest } from '../../../testkit/network/http.js';
import {
  startArchivalNode,
  startFullNode,
  startGatewayProcess,
} from '../../../testkit/network/network-processes.js';
import { endProcess } from '../../../testkit/process/child.js';

const [fullIp = '', archivalIp = ''] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'zbc-public-'));

const full = await startFullNode({ host: fullIp, port: 8884, dataDir: join(directory, 'full') });
const archival = await startArchivalNode({
  host: archivalIp,
  port: 8885,
  dataDir: join(directory, 'archival'),
  follow: full.url,
});
const gateway = await startGatewayProcess(directory, {
  mode: 'public',
  static_nodes: [{ url: `http://${archivalIp}:8885`, role: 'archival' }],
});
const allowlist = await httpRequest('GET', `${gateway.url}/gateway/allowlist`);
const broadcast = await httpRequest('POST', `${gateway.url}/api/v1/transactions`, {
  headers: { 'content-type': 'application/json' },
  body: '{}',
});
const facts = { allowlist: JSON.parse(allowlist.body.toString()).allowlist, broadcast: broadcast.status };
process.stdout.write(`${JSON.stringify(facts)}\n`);
for (const running of [gateway, archival, full]) await endProcess(running);
rmSync(directory, { recursive: true });
