import { join } from 'node:path';
import { parseAccount, toHex } from '@zbc-signer/chain';
import { loadGatewayConfig, startGateway } from '@zbc-signer/gateway';
import { GatewayClient, sendTransaction } from '@zbc-signer/host';
import { SoftwareSigner } from '@zbc-signer/host/software-signer';
import { FIXED_CONFIG } from '#gateway/config/config.js';
import { Wallet } from '../../../testkit/chain/wallet.js';
import { httpRequest } from '../../../testkit/network/http.js';
import {
  startArchivalNode,
  startFullNode,
  writeGatewayConfig,
} from '../../../testkit/network/network-processes.js';
import { endProcess } from '../../../testkit/process/child.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { readText } from '../../../testkit/repository/repository.js';
import { accounts } from '../../../testkit/repository/vectors.js';
import { Recorder } from '../contract/recorder.js';

const directory = openTestDirectory();
const quiet = { stderr: 'ignore' } as const;

/** Returns the seconds in the first row of a table that begins with these words. */
function secondsOf(file: string, words: string): number {
  const row = readText(file)
    .split('\n')
    .find(line => line.startsWith(`| ${words}`))!;
  return Number(/\| (\d+) s\b/.exec(row)![1]);
}

test('the documented time limits are those of the gateway, and end before that of the host library', () => {
  const { reads, timeouts } = FIXED_CONFIG;
  const hostMs = 1000 * secondsOf('docs/WALLET.md', 'one request to a gateway');
  const waitMs = timeouts.connectMs + timeouts.answerMs;
  const limits = [hostMs, waitMs, reads.totalMs, reads.tryMs, reads.nextMs];
  expect(
    [
      'one request of the [host library]',
      'a POST, or a GET with `wait_ms`, at all nodes',
      'a GET at all nodes together',
      'a GET at one node',
      'a GET without an answer',
    ].map(words => 1000 * secondsOf('docs/gateway/routing.md', words)),
  ).toEqual(limits);
  expect(limits.toSorted((one, other) => other - one)).toEqual(limits);
  expect(new Set(limits).size).toBe(limits.length);
});

test('a payment of the host library is confirmed while the archival node answers nothing but its checks', async () => {
  const full = await startFullNode({ dataDir: join(directory, 'full'), blockTimeSeconds: 0.2 }, quiet);
  const archival = await startArchivalNode({ dataDir: join(directory, 'archival'), follow: full.url }, quiet);
  const stalled = await Recorder.start(archival.port);
  const path = writeGatewayConfig(directory, {
    static_nodes: [
      { url: `http://127.0.0.1:${full.port}`, role: 'full' },
      { url: `http://127.0.0.1:${stalled.port}`, role: 'archival' },
    ],
    faucet: true,
  });
  const gateway = await startGateway((await loadGatewayConfig(path)).config, { onError: () => undefined });
  try {
    const { hex } = Wallet.numbered(1);
    const body = JSON.stringify({ address: hex });
    const headers = { 'content-type': 'application/json' };
    expect((await httpRequest('POST', `${gateway.url}/faucet`, { headers, body })).status).toBe(200);
    stalled.fault = 'silence';
    const { status, transactionHash } = await sendTransaction(
      { type: 1, recipient: parseAccount(accounts.cases[1]!.address), amount: 1n },
      {
        gateway: new GatewayClient(gateway.url),
        signer: new SoftwareSigner(Buffer.alloc(32, 1)),
        account: 0,
      },
    );
    expect([status, toHex(transactionHash).length]).toEqual(['confirmed', 64]);
    expect(stalled.take().length).toBeGreaterThan(0);
  } finally {
    await gateway.stop();
    await Promise.all([full, archival].map(process => endProcess(process)));
    await stalled.stop();
  }
});
