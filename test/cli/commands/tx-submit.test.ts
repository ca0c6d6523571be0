import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toHex } from '@zbc-signer/chain';
import { formatDocument, GatewayClient, prepareTransaction, signTransaction } from '@zbc-signer/host';
import {
  FlowFixture,
  keyOf,
  NOT_FOUND,
  POST,
  receipt,
  SENT,
  sendDraft,
  stage,
} from '../../../testkit/gateway/flow-fixture.js';
import { startCli } from '../../../testkit/process/cli.js';
import { until } from '../../../testkit/time/until.js';

let fixture: FlowFixture;
let directory: string;
beforeEach(async () => {
  fixture = await FlowFixture.start();
  directory = mkdtempSync(join(tmpdir(), 'documents-'));
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await fixture.gateway.stop();
});

/** Writes a signed document of this hour to a file. */
async function writeSigned() {
  const { journal, url } = fixture;
  const clock = fixture.clock(BigInt(Math.floor(Date.now() / 1000)));
  const options = { gateway: new GatewayClient(url), publicKey: SENT.sender.payload, journal, clock };
  const prepared = await prepareTransaction(sendDraft(), options);
  const path = join(directory, 'signed.json');
  const signed = await signTransaction(prepared, { signer: keyOf(0), clock });
  writeFileSync(path, formatDocument(signed));
  const hash = toHex(signed.transactionHash);
  return { path, hash, status: `GET /api/v1/transactions/${hash}/status`, signed };
}

test.each([
  ['yes', [NOT_FOUND, stage('mempool')], 3],
  // Another copy of the document may have been submitted.
  ['maybe', ['silence'], 1],
] as const)(
  'after Ctrl-C, a program learns whether the transaction was sent: %s',
  async (sent, statuses, lookUps) => {
    const { path, hash, status, signed } = await writeSigned();
    fixture.gateway.on(POST, receipt(hash)).on(status, ...statuses);
    const asked = () => fixture.gateway.routes.filter(route => route === status).length;
    const cli = startCli(['tx', 'submit', path, '--api', fixture.url, '--json'], {
      env: { XDG_STATE_HOME: directory },
    });
    await until(() => asked() >= lookUps);
    cli.child.kill('SIGINT');
    const { code, stdout } = await cli.done;
    expect(code).toBe(130);
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ code: 'SUBMISSION_INTERRUPTED', transaction_hash: hash, sent });
    expect(error.message).toContain(sent === 'yes' ? 'was sent' : 'may have been sent');
    expect(error.safe_after).toBe(Number(signed.transaction.timestamp + 3601n));
  },
);

test('a second Ctrl-C during the broadcast ends at once, and reports what may have been sent', async () => {
  const { path, hash, status } = await writeSigned();
  fixture.gateway.on(status, NOT_FOUND).on(POST, 'silence');
  const cli = startCli(['tx', 'submit', path, '--api', fixture.url, '--json'], {
    env: { XDG_STATE_HOME: directory },
  });
  await until(() => fixture.posts.length > 0);
  // Both signals reach the process while it is stopped, so that it handles them at the same time.
  cli.child.kill('SIGSTOP');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGCONT'] as const) cli.child.kill(signal);
  const { code, stdout, stderr } = await cli.done;
  expect([code, stdout]).toEqual([130, '']);
  expect(stderr).toContain(`${hash} may have been sent`);
});
