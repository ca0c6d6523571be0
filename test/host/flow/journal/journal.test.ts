import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_ACCOUNT, toHex } from '@zbc-signer/chain';
import {
  broadcastStateOf,
  confirmTransaction,
  GatewayClient,
  MemoryJournal,
  type PaymentJournal,
  prepareTransaction,
  type ResumeOptions,
  resumePayments,
  type SignedTransaction,
  signTransaction,
  submitAndConfirm,
  submitTransaction,
} from '@zbc-signer/host';
import { FileJournal } from '@zbc-signer/host/node';
import { findUnsettled } from '#host/flow/journal/journal.js';
import { answer } from '../../../../testkit/gateway/fake-gateway.js';
import {
  codeOf,
  FlowFixture,
  HEIGHT,
  INFO,
  info,
  keyOf,
  NOT_FOUND,
  POST,
  receipt,
  refusal,
  SEND,
  SENT,
  STATUS,
  sendDraft,
  stage,
} from '../../../../testkit/gateway/flow-fixture.js';

const HASH = SEND.expect.tx_hash;
const HOUR = 3600n;

let fixture: FlowFixture;
beforeEach(async () => {
  fixture = await FlowFixture.start();
});
afterEach(() => fixture.gateway.stop());

/** A wallet's own journal, which records the calls. */
class OwnJournal implements PaymentJournal {
  readonly calls: string[] = [];
  readonly #memory = new MemoryJournal();

  async signed(payment: Parameters<PaymentJournal['signed']>[0]): Promise<void> {
    this.calls.push(`signed ${toHex(payment.transactionHash)}, ${fixture.posts.length} broadcasts`);
    await this.#memory.signed(payment);
  }

  async ended(...[hash, end]: Parameters<PaymentJournal['ended']>): Promise<void> {
    this.calls.push(`${end} ${toHex(hash)}`);
    await this.#memory.ended(hash, end);
  }

  pending() {
    return this.#memory.pending();
  }

  reserve(...[payment, taken]: Parameters<MemoryJournal['reserve']>): Promise<bigint> {
    return this.#memory.reserve(payment, taken);
  }
}

describe('a payment', () => {
  test('is stored before its first byte is sent, and until it is confirmed', async () => {
    const journal = new OwnJournal();
    await fixture.run(sendDraft(), undefined, { journal });
    expect(journal.calls).toEqual([`signed ${HASH}, 0 broadcasts`, `accepted ${HASH}`, `confirmed ${HASH}`]);
    expect(await journal.pending()).toEqual([]);
  });

  test('is not sent until a slow journal has stored it', async () => {
    const journal = new OwnJournal();
    let finish = () => {};
    const written = new Promise<void>(resolve => {
      finish = resolve;
    });
    const keep = journal.signed.bind(journal);
    journal.signed = payment => written.then(() => keep(payment));
    const sending = fixture.run(sendDraft(), undefined, { journal });
    while (fixture.asked.length === 0) await new Promise(setImmediate);
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(fixture.posts).toEqual([]);
    finish();
    expect((await sending).status).toBe('confirmed');
  });

  test('is not sent if the journal does not store it', async () => {
    const journal = new OwnJournal();
    journal.signed = () => Promise.reject(new Error('no space\u001b[2J left'));
    await expect(fixture.run(sendDraft(), undefined, { journal })).rejects.toMatchObject({
      code: 'JOURNAL_FAILED',
      message: expect.not.stringContaining('\u001b'),
      facts: { sent: 'no', transactionHash: HASH },
    });
    expect(fixture.posts).toEqual([]);
  });

  test('gets a unique timestamp from the library if the journal does not reserve timestamps', async () => {
    const { signed, ended, pending } = new OwnJournal();
    const unbound = new OwnJournal();
    const journal = {
      signed: signed.bind(unbound),
      ended: ended.bind(unbound),
      pending: pending.bind(unbound),
    };
    fixture.gateway.on(POST, 'drop').on(STATUS, NOT_FOUND);
    const options = { journal, paysAgain: true };
    for (const _ of [1, 2]) await fixture.run(sendDraft(), undefined, options).catch(() => undefined);
    const [first, second] = fixture.asked.map(({ transaction }) => toHex(transaction));
    expect(first).not.toBe(second);
  });

  test('is not shown to the user if the journal cannot be read', async () => {
    const journal = new OwnJournal();
    journal.pending = () => Promise.reject(new Error('damaged'));
    await expect(fixture.run(sendDraft(), undefined, { journal })).rejects.toMatchObject({
      code: 'JOURNAL_FAILED',
    });
    expect(fixture.asked).toEqual([]);
  });

  test('that is confirmed succeeds even if the journal fails afterwards', async () => {
    const journal = new OwnJournal();
    journal.ended = () => Promise.reject(new Error('no space left'));
    expect((await fixture.run(sendDraft(), undefined, { journal })).status).toBe('confirmed');
  });

  test('that a gateway refuses stays in the journal, because the refusal may be false', async () => {
    fixture.gateway.on(POST, refusal('insufficient balance')).on(STATUS, NOT_FOUND);
    const journal = new OwnJournal();
    await expect(fixture.run(sendDraft(), undefined, { journal })).rejects.toMatchObject({
      facts: { sent: 'maybe' },
    });
    expect(await journal.pending()).toMatchObject([{ sent: 'maybe', isInFlight: false, height: 9n }]);
  });

  test('of which no byte was sent is removed from the journal', async () => {
    const journal = new OwnJournal();
    const gateway = new GatewayClient(fixture.url, {
      fetch: (url, init) => fetch(init?.method === 'POST' ? 'http://127.0.0.1:9/' : url, init),
    });
    await expect(fixture.run(sendDraft(), undefined, { journal, gateway })).rejects.toMatchObject({
      facts: { sent: 'no' },
    });
    expect(journal.calls.at(-1)).toBe(`notSent ${HASH}`);
    expect(await journal.pending()).toEqual([]);
  });

  test('that nobody waits for stays in the journal, and its recipient is paid again only with paysAgain', async () => {
    const journal = new OwnJournal();
    await fixture.run(sendDraft(), undefined, { journal, waitsForConfirmation: false });
    expect(await journal.pending()).toMatchObject([{ sent: 'yes' }]);
    const again = (paysAgain: boolean) =>
      codeOf(fixture.run(sendDraft(), SENT.timestamp + 1n, { journal, paysAgain }));
    expect(await again(false)).toBe('UNSETTLED_PAYMENT');
    expect(fixture.asked).toHaveLength(1);
    await again(true);
    expect(fixture.asked).toHaveLength(2);
  });
});

describe('resumePayments', () => {
  let journal: MemoryJournal;

  /**
   * Creates the state that a program leaves if it is killed before it has sent the first byte, or before an
   * answer arrives.
   */
  beforeEach(async () => {
    journal = new MemoryJournal();
    fixture.gateway.on(POST, 'drop').on(STATUS, NOT_FOUND);
    await expect(fixture.run(sendDraft(), undefined, { journal })).rejects.toMatchObject({
      code: 'BROADCAST_UNCERTAIN',
    });
    fixture.sleptMs = 0;
    fixture.gateway.requests.length = 0;
  });

  const resume = (nowSeconds = SENT.timestamp, options: Partial<ResumeOptions> = {}) =>
    resumePayments(journal, {
      gateway: new GatewayClient(fixture.url),
      ...options,
      clock: {
        now: () => Number(nowSeconds) * 1000 + fixture.sleptMs,
        sleep: async durationMs => {
          fixture.sleptMs += durationMs;
        },
      },
    });
  const newestBlock = (seconds: bigint) =>
    fixture.gateway.on(HEIGHT, answer(`{"height":12,"latest_block":{"height":12,"timestamp":${seconds}}}`));

  test('finds a payment that was confirmed, and sends nothing', async () => {
    fixture.gateway.on(STATUS, stage('confirmed'));
    expect(await resume()).toMatchObject([{ status: 'confirmed', blockHeight: 12n }]);
    expect(fixture.posts).toEqual([]);
    expect(await journal.pending()).toEqual([]);
  });

  test('sends the same bytes again if the chain does not have them', async () => {
    fixture.gateway.on(POST, receipt()).on(STATUS, NOT_FOUND, stage('mempool'), stage('confirmed'));
    expect(await resume()).toMatchObject([{ status: 'confirmed' }]);
    expect(fixture.posts.map(({ body }) => JSON.parse(body).signature)).toEqual([SEND.expect.signature]);
  });

  test('keeps a payment that is refused, and reports the reason', async () => {
    fixture.gateway.on(POST, refusal('insufficient balance'));
    expect(await resume()).toMatchObject([
      { status: 'unknown', error: { code: 'BROADCAST_REFUSED', facts: { sent: 'maybe' } } },
    ]);
    expect(await journal.pending()).toHaveLength(1);
  });

  test('forgets a payment that the chain does not have and no longer accepts', async () => {
    const later = SENT.timestamp + HOUR + 200n;
    newestBlock(later);
    expect(await resume(later)).toMatchObject([{ status: 'expired' }]);
    expect(fixture.posts).toEqual([]);
    expect(await journal.pending()).toEqual([]);
  });

  test.each<[string, () => unknown]>([
    ['the newest block was made before the payment expired', () => newestBlock(SENT.timestamp + HOUR)],
    ['nobody says when the newest block was made', () => fixture.gateway.on(HEIGHT, answer('{"height":12}'))],
    ['a gateway still has it', () => fixture.gateway.on(STATUS, stage('mempool'))],
    ['the look-up fails', () => fixture.gateway.on(STATUS, answer('', 500))],
  ])('does not report a payment as expired if %s', async (_, arrange) => {
    const later = SENT.timestamp + HOUR + 200n;
    newestBlock(later);
    arrange();
    const [resumed] = await resume(later);
    expect(resumed!.status).not.toBe('expired');
    expect(await journal.pending()).toHaveLength(1);
  });

  // No node accepts it from an hour and a second after its timestamp on, and may confirm it for two more minutes.
  const END = SENT.timestamp + HOUR + 1n + 120n;

  test.each([
    ['', END, END, 'expired'],
    [' a second too early by this computer', END - 1n, END + HOUR, 'unknown'],
    [' a second too early by the chain', END + HOUR, END - 1n, 'unknown'],
  ])('reports a payment as expired no second too early%s', async (_what, now, block, status) => {
    newestBlock(block);
    fixture.gateway.on(POST, refusal('timestamp too old'));
    expect(await resume(now)).toMatchObject([{ status }]);
  });

  test.each<[string, string, string, ReturnType<typeof answer>]>([
    ['expired', 'also lacks it', `,"latest_block":{"height":12,"timestamp":${END}}`, NOT_FOUND],
    ['unknown', 'still has it', `,"latest_block":{"height":12,"timestamp":${END}}`, stage('mempool')],
    [
      'unknown',
      'has an older newest block',
      `,"latest_block":{"height":12,"timestamp":${END - 1n}}`,
      NOT_FOUND,
    ],
    ['unknown', 'does not say when its newest block was made', '', NOT_FOUND],
  ])('reports a payment as %s if a second gateway %s', async (status, _what, block, known) => {
    newestBlock(END);
    fixture.gateway.on(POST, refusal('timestamp too old'));
    const other = await FlowFixture.start();
    other.gateway.on(HEIGHT, answer(`{"height":12${block}}`)).on(STATUS, known);
    const [resumed] = await resume(END, { otherGateways: [new GatewayClient(other.url)] });
    await other.gateway.stop();
    expect(resumed!.status === 'expired').toBe(status === 'expired');
    expect(await journal.pending()).toHaveLength(status === 'expired' ? 0 : 1);
  });

  test('does not touch a payment of another chain', async () => {
    fixture.gateway.on(INFO, info(undefined, '11'.repeat(32)));
    expect(await resume()).toMatchObject([{ status: 'leftAlone', payment: { sent: 'maybe' } }]);
    expect(fixture.gateway.routes).toEqual([INFO]);
    expect(await journal.pending()).toHaveLength(1);
  });

  test('does not touch a payment that a program is sending', async () => {
    const [payment] = await journal.pending();
    await journal.signed(payment!);
    expect(await resume()).toMatchObject([{ status: 'leftAlone', payment: { sent: 'maybe' } }]);
    expect(fixture.posts).toEqual([]);
  });

  test('keeps the record that a node accepted a payment, whatever the gateway answers now', async () => {
    const [payment] = await journal.pending();
    await journal.ended(payment!.transactionHash, 'accepted');
    fixture.gateway.on(POST, refusal('insufficient balance'));
    expect(await resume()).toMatchObject([{ status: 'unknown', error: { facts: { sent: 'yes' } } }]);
    expect(await journal.pending()).toMatchObject([{ sent: 'yes' }]);
  });

  test('reports that a confirmation is false if the block was there before the payment was signed', async () => {
    fixture.gateway.on(STATUS, answer('{"status":"confirmed","block_height":9}'));
    expect(await resume()).toMatchObject([
      { status: 'unknown', error: { code: 'FALSE_STATUS', facts: { sent: 'maybe' } } },
    ]);
    expect(await journal.pending()).toMatchObject([{ sent: 'maybe' }]);
  });

  test('believes a confirmation below the prepared height if the chain never reaches that height', async () => {
    fixture.gateway.on(HEIGHT, answer('{"height":5}'));
    fixture.gateway.on(STATUS, answer('{"status":"confirmed","block_height":6}'));
    expect(await resume()).toMatchObject([{ status: 'unknown', error: { code: 'FALSE_STATUS' } }]);
    fixture.gateway.on(STATUS, answer('{"status":"confirmed","block_height":5}'));
    expect(await resume()).toMatchObject([{ status: 'confirmed', blockHeight: 5n }]);
    expect(await journal.pending()).toEqual([]);
  });

  test.each<[string, () => unknown, object, string]>([
    ['is given wrong options', () => undefined, { pollMs: 'soon' }, 'INVALID_INPUT'],
    ['meets a busy gateway', () => fixture.gateway.on(INFO, answer('', 503)), {}, 'GATEWAY_BUSY'],
    [
      'cannot read the journal',
      () => {
        journal.pending = () => Promise.reject(new Error('damaged'));
      },
      {},
      'JOURNAL_FAILED',
    ],
  ])('reports that earlier payments may have been sent if it %s', async (_what, arrange, options, code) => {
    arrange();
    const gateway = new GatewayClient(fixture.url);
    const clock = fixture.clock(SENT.timestamp);
    await expect(resumePayments(journal, { gateway, clock, ...options })).rejects.toMatchObject({
      code,
      message: expect.not.stringContaining('nothing was sent'),
      facts: { sent: 'maybe' },
    });
  });

  test('has one deadline, which counts from its first request', async () => {
    fixture.gateway.on(INFO, { status: 503, body: '', headers: { 'retry-after': '5' } });
    const options = { gateway: new GatewayClient(fixture.url), clock: fixture.clock(SENT.timestamp) };
    expect(await codeOf(resumePayments(journal, { ...options, confirmationTimeoutMs: 3000 }))).toBe(
      'GATEWAY_BUSY',
    );
    expect(fixture.sleptMs).toBeLessThanOrEqual(3000);
  });
});

test.each([submitTransaction, submitAndConfirm, confirmTransaction])(
  '%o with invalid options still reports that the payment may have been sent',
  async call => {
    fixture.gateway.on(POST, 'drop').on(STATUS, NOT_FOUND);
    const journal = new MemoryJournal();
    await codeOf(fixture.run(sendDraft(), undefined, { journal }));
    const [payment] = await journal.pending();
    const options = { gateway: new GatewayClient(fixture.url), journal, pollMs: 'soon' as never };
    const again = { ...payment!, sent: 'no' as never, duplicate: false };
    await expect(call(again, options)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      facts: { sent: 'maybe', transactionHash: HASH, safeAfter: `${SENT.timestamp + 3601n}` },
    });
  },
);

test('confirming a transaction that was never submitted does not mark it as sent', async () => {
  fixture.gateway.on(STATUS, NOT_FOUND);
  const signed = await signFirst();
  const submitted = { ...signed, sent: 'no' as never, duplicate: false };
  const options = { ...flowOptions(), confirmationTimeoutMs: 100 };
  await expect(confirmTransaction(submitted, options)).rejects.toMatchObject({
    code: 'NOT_CONFIRMED',
    facts: { sent: 'maybe' },
  });
});

test('if the journal cannot be read, the first submission is reported as not sent, and a second one as maybe sent', async () => {
  const journal = new OwnJournal();
  journal.pending = async () => {
    throw new Error('gone');
  };
  const payment = await signFirst();
  const submit = () =>
    submitTransaction(payment, { ...flowOptions(), journal }).catch((error: unknown) =>
      broadcastStateOf(error),
    );
  expect([await submit(), await submit()]).toEqual(['no', 'maybe']);
  expect(fixture.posts).toEqual([]);
});

const flowOptions = () => ({
  gateway: new GatewayClient(fixture.url),
  clock: fixture.clock(SENT.timestamp),
  journal: new MemoryJournal(),
});

async function signFirst(): Promise<SignedTransaction> {
  const options = flowOptions();
  const prepared = await prepareTransaction(sendDraft(), { ...options, publicKey: SENT.sender.payload });
  return signTransaction(prepared, { signer: keyOf(0), clock: options.clock });
}

test('an open decision on an escrow stands in the way of another one on this escrow only', () => {
  const decisionOn = (escrow: number, hash: number) => ({
    genesisHash: new Uint8Array(32),
    transactionHash: new Uint8Array(32).fill(hash),
    transaction: { type: 4, recipient: NO_ACCOUNT, escrowHash: new Uint8Array(32).fill(escrow) },
  });
  const pending = [decisionOn(1, 1), decisionOn(2, 2)] as never;
  expect(findUnsettled(pending, decisionOn(1, 3) as never)).toMatchObject([decisionOn(1, 1)]);
  expect(findUnsettled(pending, decisionOn(3, 3) as never)).toEqual([]);
});

test('a file journal has flushed a payment, then its name, when it returns; and each change of the names', async () => {
  const made = await fixture.run(sendDraft());
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  const probe = await open(directory);
  const handles = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const { sync } = handles;
  let flushed: number[] = [];
  handles.sync = async function (this: FileHandle) {
    flushed.push((await this.stat()).ino);
    return sync.call(this);
  };
  const during = async (change: Promise<void>) => {
    flushed = [];
    await change;
    return flushed;
  };
  try {
    const journal = new FileJournal(directory);
    const names = statSync(directory).ino;
    const written = await during(journal.signed(made));
    const entry = statSync(join(directory, readdirSync(directory)[0]!)).ino;
    expect(written).toEqual([entry, names]);
    expect(await during(journal.hold(made.transactionHash))).toEqual([names]);
    expect(await during(journal.ended(made.transactionHash, 'confirmed'))).toEqual([names]);
  } finally {
    handles.sync = sync;
    rmSync(directory, { recursive: true });
  }
});
