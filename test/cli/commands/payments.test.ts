import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GatewayClient,
  MemoryJournal,
  prepareTransaction,
  type SignedTransaction,
  signTransaction,
} from '@zbc-signer/host';
import { FileJournal } from '@zbc-signer/host/node';
import {
  FlowFixture,
  INFO,
  info,
  keyOf,
  NOT_FOUND,
  POST,
  refusal,
  SEND,
  SENT,
  STATUS,
  sendDraft,
  stage,
} from '../../../testkit/gateway/flow-fixture.js';
import { runCli, runCommand } from '../../../testkit/process/cli.js';

const HASH = SEND.expect.tx_hash;
const LAST = Number(SENT.timestamp + 3601n);

let fixture: FlowFixture;
let state: string;
let directory: string;
beforeEach(async () => {
  fixture = await FlowFixture.start();
  state = mkdtempSync(join(tmpdir(), 'state-'));
  directory = join(state, 'zbc-signer/payments');
});
afterEach(async () => {
  rmSync(state, { recursive: true });
  await fixture.gateway.stop();
});

const env = () => ({ XDG_STATE_HOME: state, ZBC_SIGNER_API: fixture.url });
const run = (...words: string[]) => runCommand(words, { env: env() });

/** SEND, signed. It is kept, because an equal payment that is signed again would have another timestamp. */
let payment: SignedTransaction | undefined;

/** Puts the payment SEND into the journal of the command line. */
async function keep(end?: 'accepted' | 'unknown'): Promise<void> {
  const clock = fixture.clock(SENT.timestamp);
  const gateway = new GatewayClient(fixture.url);
  const options = { gateway, publicKey: SENT.sender.payload, clock, journal: new MemoryJournal() };
  payment ??= await signTransaction(await prepareTransaction(sendDraft(), options), {
    signer: keyOf(0),
    clock,
  });
  const journal = new FileJournal(directory);
  await journal.signed(payment);
  if (end !== undefined) await journal.ended(payment.transactionHash, end);
}

test.each([
  ['unknown', 'maybe', 'that may have been sent'],
  ['accepted', 'yes', 'that a node has accepted'],
] as const)(
  'status of an %s payment that the gateway does not know reports what the journal knows',
  async (end, sent, words) => {
    await keep(end);
    fixture.gateway.on(STATUS, NOT_FOUND);
    const { code, stdout } = await run('status', HASH, '--json');
    expect(code).toBe(14);
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ transaction_hash: HASH, sent, safe_after: LAST });
    expect(error.message).toBe(
      `this gateway does not know transaction ${HASH}, a payment of this computer ${words}`,
    );
    expect(error.hint).toContain('Do not pay again before');
  },
);

test('without a journal entry, the status of a hash is reported as that of one gateway', async () => {
  fixture.gateway.on(STATUS, NOT_FOUND);
  const { stderr } = await run('status', HASH);
  expect(stderr).toContain(`this gateway does not know transaction ${HASH}\n`);
  expect(stderr).toContain('Another gateway may know the hash');
});

test.each([
  ['list', ['payments', 'list', '--json']],
  ['resume', ['payments', 'resume', '--json']],
])('payments %s reports that an unreadable journal may contain earlier payments', async (_name, words) => {
  mkdirSync(join(state, 'zbc-signer'));
  writeFileSync(directory, '');
  const { code, stdout } = await run(...words);
  expect(code).toBe(2);
  const { error } = JSON.parse(stdout);
  expect(error).toMatchObject({ code: 'JOURNAL_FAILED', directory });
  expect(error.hint).toContain('The journal may contain earlier payments');
  expect(error.message + error.hint).not.toMatch(/nothing was sent|send again/);
});

test('payments resume reports that it did not touch a payment of another chain', async () => {
  await keep('unknown');
  fixture.gateway.on(INFO, info(undefined, 'ab'.repeat(32)));
  const { code, stdout } = await run('payments', 'resume');
  expect([code, stdout]).toEqual([
    12,
    expect.stringContaining('left as it is: the payment is on another chain'),
  ]);
  expect(JSON.parse((await run('payments', 'resume', '--json')).stdout)).toMatchObject({
    payments: [{ transaction_hash: SEND.expect.tx_hash, status: 'left_alone' }],
  });
});

test('payments resume gives an error the same fields as other commands do', async () => {
  await keep('unknown');
  fixture.gateway.on(POST, refusal('words')).on(STATUS, NOT_FOUND);
  const { code, stdout } = await run('payments', 'resume', '--json');
  expect(code).toBe(12);
  const [{ status, error }] = JSON.parse(stdout).payments;
  expect(status).toBe('unknown');
  expect(error).toMatchObject({
    transaction_hash: HASH,
    sent: 'maybe',
    safe_after: LAST,
    exit_code: expect.any(Number),
  });
  expect(error.hint).toContain('Do not pay again before');
});

test('payments list ignores a payment that was reserved but never signed', async () => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${'0'.repeat(64)}-${SENT.timestamp}.reserved`), '');
  expect((await run('payments', 'list')).stdout).toBe('Every payment that may have been sent is settled.\n');
});

test('the result of a payment goes to standard error if the disk is full', async () => {
  await keep('unknown');
  fixture.gateway.on(STATUS, stage('confirmed'));
  const before = ['sh', '-c', 'exec "$@" >/dev/full', 'sh'];
  const { code, stderr } = await runCli(['payments', 'resume', '--json'], { env: env(), before });
  expect([code, stderr]).toEqual([
    17,
    `error: cannot write to standard output: ENOSPC\nTransaction ${HASH}: confirmed\n`,
  ]);
});
