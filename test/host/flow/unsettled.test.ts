import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountFromPublicKey, fromHex, toHex } from '@zbc-signer/chain';
import {
  type Clock,
  type ConfirmOptions,
  confirmTransaction,
  formatDocument,
  GatewayClient,
  MemoryJournal,
  type PaymentJournal,
  parseSignedDocument,
  prepareTransaction,
  resumePayments,
  type SignedTransaction,
  type SubmitOptions,
  signTransaction,
  submitAndConfirm,
  submitTransaction,
} from '@zbc-signer/host';
import { FileJournal } from '@zbc-signer/host/node';
import { answer } from '../../../testkit/gateway/fake-gateway.js';
import {
  codeOf,
  FlowFixture,
  HEIGHT,
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
} from '../../../testkit/gateway/flow-fixture.js';

const HASH = SEND.expect.tx_hash;
const HOUR_MS = 3600_000;

let fixture: FlowFixture;
beforeEach(async () => {
  fixture = await FlowFixture.start();
  fixture.gateway.on(POST, refusal('insufficient balance')).on(STATUS, NOT_FOUND);
});
afterEach(() => fixture.gateway.stop());

const options = () => ({ gateway: new GatewayClient(fixture.url), journal: fixture.journal, clock: CLOCK });
const resume = (journal: PaymentJournal = fixture.journal, clock: Clock = CLOCK) =>
  resumePayments(journal, { gateway: new GatewayClient(fixture.url), clock });
const pay = (changes: object = {}, options: object = {}) =>
  codeOf(fixture.run(sendDraft(changes), undefined, options));

describe('after a payment that may have been made', () => {
  beforeEach(async () => expect(await pay()).toBe('BROADCAST_REFUSED'));

  test('another payment to the recipient is refused before the device is asked', async () => {
    await expect(fixture.run(sendDraft())).rejects.toMatchObject({
      code: 'UNSETTLED_PAYMENT',
      facts: { earlierHash: HASH, safeAfter: `${SENT.timestamp + 3601n}` },
    });
    expect(fixture.asked).toHaveLength(1);
  });

  // A user may change these fields after an error about the balance, the fee or the message.
  test.each([[{ amount: 1n }], [{ fee: 3_000_000n }], [{ message: Uint8Array.of(65) }]])(
    'a payment to the recipient that differs in %j is also refused',
    async changes => {
      expect(await pay(changes)).toBe('UNSETTLED_PAYMENT');
    },
  );

  test('a payment to another recipient is made', async () => {
    const recipient = accountFromPublicKey(new Uint8Array(32).fill(3));
    expect(await pay({ recipient })).not.toBe('UNSETTLED_PAYMENT');
    expect(fixture.asked).toHaveLength(2);
  });

  test('another payment is refused until a look-up shows that the chain does not have the first one', async () => {
    const later = SENT.timestamp + 7200n;
    fixture.sleptMs = 2 * HOUR_MS;
    expect(await pay()).toBe('UNSETTLED_PAYMENT');
    fixture.gateway.on(HEIGHT, answer(`{"height":12,"latest_block":{"height":12,"timestamp":${later}}}`));
    const clock = fixture.clock(SENT.timestamp);
    await resumePayments(fixture.journal, { gateway: new GatewayClient(fixture.url), clock });
    expect(await pay()).not.toBe('UNSETTLED_PAYMENT');
  });

  test('a clock that is a day fast for a moment does not remove the payment from the journal', async () => {
    const recipient = accountFromPublicKey(new Uint8Array(32).fill(3));
    fixture.sleptMs = 25 * HOUR_MS;
    expect(await pay({ recipient })).not.toBe('UNSETTLED_PAYMENT');
    fixture.sleptMs = 0;
    expect(await pay()).toBe('UNSETTLED_PAYMENT');
  });
});

test('after a payment was confirmed, its recipient can be paid again', async () => {
  const { signed } = await lost();
  fixture.gateway.on(POST, receipt()).on(STATUS, NOT_FOUND, stage('confirmed'));
  expect(await pay()).toBe('UNSETTLED_PAYMENT');
  fixture.gateway.on(STATUS, stage('confirmed'));
  await confirmTransaction(await submitTransaction({ ...signed, sent: 'maybe' }, options()), options());
  expect(await pay()).not.toBe('UNSETTLED_PAYMENT');
});

test('a failed attempt to send a transaction again does not show that it was not sent before', async () => {
  const { signed } = await lost();
  const gone = new GatewayClient('http://127.0.0.1:9');
  const again = submitTransaction(
    { ...signed, sent: 'no' },
    { gateway: gone, journal: fixture.journal, clock: CLOCK },
  );
  await expect(again).rejects.toMatchObject({ facts: { sent: 'maybe' } });
  expect(await fixture.journal.pending()).toMatchObject([{ sent: 'maybe' }]);
  expect(await pay()).toBe('UNSETTLED_PAYMENT');
});

describe('two payments that were prepared before either was sent', () => {
  test.each<[string, (signed: SignedTransaction) => SignedTransaction, string]>([
    ['as it was signed', signed => signed, 'no'],
    ['from its document', signed => parseSignedDocument(formatDocument(signed)), 'maybe'],
  ])('are not both made: the second one, %s, is neither sent nor stored', async (_how, open, sent) => {
    const second = await signSecond();
    await lost();
    fixture.gateway.requests.length = 0;
    await expect(submitTransaction(open(second), options())).rejects.toMatchObject({
      code: 'UNSETTLED_PAYMENT',
      facts: { earlierHash: HASH, transactionHash: toHex(second.transactionHash), sent },
    });
    expect(fixture.posts).toEqual([]);
    expect(await fixture.journal.pending()).toMatchObject([{ transactionHash: fromHex(HASH) }]);
  });

  test('are not both made: neither program sends if both keep their payments at the same moment', async () => {
    const rival = await signSecond();
    const { journal } = fixture;
    const keep = journal.signed.bind(journal);
    journal.signed = async payment => {
      await keep(payment);
      await keep(rival);
    };
    fixture.gateway.on(POST, receipt());
    expect(await pay()).toBe('UNSETTLED_PAYMENT');
    expect(fixture.posts).toEqual([]);
    expect(await journal.pending()).toMatchObject([{ transactionHash: rival.transactionHash }]);
  });

  test('are both made if the second one is sent with paysAgain', async () => {
    const second = await signSecond();
    await lost();
    fixture.gateway.on(POST, receipt(toHex(second.transactionHash)));
    await submitTransaction(second, { ...options(), paysAgain: true });
    expect(await fixture.journal.pending()).toHaveLength(2);
  });
});

describe.each(['memory', 'file'])('an open payment in a %s journal whose recipient was paid again', kind => {
  let directory: string;
  let journal: PaymentJournal;
  let second: string;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'journal-'));
    journal = kind === 'memory' ? fixture.journal : new FileJournal(directory);
    const signed = await signSecond();
    second = toHex(signed.transactionHash);
    expect(await pay({}, { journal })).toBe('BROADCAST_REFUSED');
    fixture.gateway
      .on(POST, receipt(second))
      .on(`GET /api/v1/transactions/${second}/status`, NOT_FOUND, stage('confirmed'));
    const options = { gateway: new GatewayClient(fixture.url), journal, clock: CLOCK, paysAgain: true };
    await confirmTransaction(await submitTransaction(signed, options), options);
    fixture.gateway.requests.length = 0;
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const resume = () =>
    resumePayments(journal, {
      gateway: new GatewayClient(fixture.url),
      clock: fixture.clock(SENT.timestamp),
    });

  test('is looked up but not sent', async () => {
    expect(await journal.pending()).toMatchObject([{ transactionHash: fromHex(HASH), isHeld: true }]);
    expect(await resume()).toMatchObject([{ status: 'leftAlone' }]);
    expect(fixture.posts).toEqual([]);
  });

  test('is settled if it was made nevertheless', async () => {
    fixture.gateway.on(STATUS, stage('confirmed'));
    expect(await resume()).toMatchObject([{ status: 'confirmed' }]);
    expect(fixture.posts).toEqual([]);
    expect(await journal.pending()).toEqual([]);
  });

  test('is sent if it is submitted with paysAgain', async () => {
    const [payment] = await journal.pending();
    fixture.gateway.on(POST, receipt());
    const options = { gateway: new GatewayClient(fixture.url), journal, clock: CLOCK };
    await expect(submitTransaction(payment!, options)).rejects.toMatchObject({
      code: 'UNSETTLED_PAYMENT',
      facts: { earlierHash: HASH, sent: 'maybe' },
    });
    expect(fixture.posts).toEqual([]);
    await submitTransaction(payment!, { ...options, paysAgain: true });
    expect(fixture.posts).toHaveLength(1);
    expect(await journal.pending()).toMatchObject([{ sent: 'yes', isHeld: true }]);
  });
});

describe('two open payments to a recipient, one of them left by a killed program', () => {
  let second: SignedTransaction;
  beforeEach(async () => {
    second = await signSecond();
    await lost();
    await fixture.journal.signed(second);
    await fixture.journal.ended(second.transactionHash, 'unknown');
    fixture.gateway.requests.length = 0;
    fixture.gateway.on(statusOf(second), NOT_FOUND);
  });

  test('are not sent while neither of them is known to be made', async () => {
    expect(await resume()).toMatchObject([{ status: 'leftAlone' }, { status: 'leftAlone' }]);
    expect(fixture.posts).toEqual([]);
  });

  test('are settled if one of them was made, and the other one is never sent', async () => {
    fixture.gateway.on(STATUS, stage('confirmed'));
    await resume();
    expect(await fixture.journal.pending()).toMatchObject([
      { transactionHash: second.transactionHash, isHeld: true },
    ]);
    expect(await resume()).toMatchObject([{ status: 'leftAlone' }]);
    expect(fixture.posts).toEqual([]);
  });

  test('stay open if one of them was made but the other one cannot be held', async () => {
    fixture.gateway.on(STATUS, stage('confirmed'));
    fixture.journal.hold = () => Promise.reject(new Error('the disk is full'));
    await resume();
    expect(await fixture.journal.pending()).toHaveLength(2);
  });
});

test('a payment of which no byte was sent is not sent after another payment to its recipient', async () => {
  const { journal } = fixture;
  const gateway = gatewayWithout('POST', async () => {
    const [kept] = await journal.pending();
    await journal.hold(kept!.transactionHash);
    fixture.gateway.on(POST, receipt());
  });
  await expect(fixture.run(sendDraft(), undefined, { gateway })).rejects.toMatchObject({
    code: 'UNSETTLED_PAYMENT',
    facts: { sent: 'no' },
  });
  expect(await journal.pending()).toEqual([]);
});

test('a payment is not sent again if its journal can no longer be read', async () => {
  await lost();
  fixture.gateway.requests.length = 0;
  fixture.gateway.on(POST, answer('', 503));
  const { journal } = fixture;
  const pending = journal.pending.bind(journal);
  journal.pending = async () => {
    if (fixture.posts.length > 0) throw new Error('a file is damaged');
    return pending();
  };
  const resumed = await resume(journal);
  expect(resumed).toMatchObject([{ status: 'unknown', error: { code: 'JOURNAL_FAILED' } }]);
  expect(fixture.posts).toHaveLength(1);
});

test('resumePayments does not send a payment that its caller withdraws in the meantime', async () => {
  const { signed } = await lost();
  fixture.gateway.requests.length = 0;
  const { journal } = fixture;
  const pending = journal.pending.bind(journal);
  let reads = 0;
  journal.pending = async () => {
    // This call is made after the list was read, while each payment is read again.
    if (++reads === 3) await journal.ended(signed.transactionHash, 'notSent');
    return pending();
  };
  const resumed = await resume(journal);
  expect(resumed).toMatchObject([{ status: 'leftAlone' }]);
  expect(fixture.posts).toEqual([]);
});

/** Two programs use the same directory, or the same memory. */
test.each(['memory', 'file'])(
  'resumePayments does not send a payment that is withdrawn from a %s journal while it takes the payment over',
  async kind => {
    const { signed } = await lost();
    await fixture.journal.ended(signed.transactionHash, 'expired');
    fixture.gateway.requests.length = 0;
    const directory = mkdtempSync(join(tmpdir(), 'journal-'));
    const journal = kind === 'memory' ? new MemoryJournal() : new FileJournal(directory);
    await journal.signed(signed);
    // The other caller takes the payment back after the last check of `resumePayments`, and before
    // `resumePayments` writes its own entry.
    const takeOver = journal.takeOver.bind(journal);
    journal.takeOver = async payment => {
      await journal.ended(signed.transactionHash, 'notSent');
      return takeOver(payment);
    };
    const pending = journal.pending.bind(journal);
    journal.pending = async () => (await pending()).map(payment => ({ ...payment, isInFlight: false }));
    const resumed = await resume(journal);
    expect(resumed).toMatchObject([{ status: 'leftAlone' }]);
    expect(fixture.posts).toEqual([]);
    expect(await journal.pending()).toEqual([]);
    rmSync(directory, { recursive: true });
  },
);

test('a sent payment that the journal has lost is looked up, and not sent again', async () => {
  const { signed } = await lost();
  fixture.gateway.requests.length = 0;
  fixture.gateway.on(POST, answer('', 503));
  const clock = {
    ...CLOCK,
    sleep: async () => {
      if (fixture.posts.length === 1) await fixture.journal.ended(signed.transactionHash, 'expired');
    },
  };
  const again = resumePayments(fixture.journal, { gateway: new GatewayClient(fixture.url), clock });
  expect(await again).toMatchObject([{ status: 'leftAlone' }]);
  expect(fixture.posts).toHaveLength(1);
});

test('a confirmation in a block at or below the stored height does not settle a payment, whatever height the gateway reports first', async () => {
  await lost();
  fixture.gateway.on(STATUS, answer('{"status":"confirmed","block_height":7}'));
  fixture.gateway.on(HEIGHT, answer('{"height":3}'), answer('{"height":12}'));
  const resumed = await resume(fixture.journal, fixture.clock(SENT.timestamp));
  expect(resumed).toMatchObject([{ status: 'unknown', error: { code: 'FALSE_STATUS' } }]);
  expect(await fixture.journal.pending()).toHaveLength(1);
});

test.each<[string, (signed: SignedTransaction, options: SubmitOptions & ConfirmOptions) => Promise<unknown>]>(
  [
    [
      'a changed signature',
      (signed, options) => submitTransaction({ ...signed, signature: new Uint8Array(64) }, options),
    ],
    [
      'a missing transaction',
      ({ transaction: _, ...rest }, options) => submitTransaction(rest as never, options),
    ],
    ['undefined', (_, options) => submitTransaction(undefined as never, options)],
    [
      'an invalid hash',
      (signed, options) => confirmTransaction({ ...signed, transactionHash: 'x' } as never, options),
    ],
    ['half a document', async signed => parseSignedDocument(formatDocument(signed).slice(0, 500))],
  ],
)(
  'an error about %s in place of a payment that may have been sent still reports "maybe"',
  async (_what, use) => {
    const { signed } = await lost();
    const used = use(signed, { gateway: new GatewayClient(fixture.url), clock: CLOCK });
    await expect(used).rejects.toMatchObject({ facts: { sent: 'maybe' } });
  },
);

test('an open payment to a recipient is held before another payment to that recipient is sent from its document', async () => {
  const second = await signSecond();
  const { signed } = await lost();
  await fixture.journal.signed(second);
  await fixture.journal.ended(second.transactionHash, 'unknown');
  fixture.gateway.on(POST, answer('', 503));
  const clock = fixture.clock(SENT.timestamp);
  const options = { gateway: new GatewayClient(fixture.url), journal: fixture.journal, clock };
  await codeOf(
    submitTransaction(parseSignedDocument(formatDocument(signed)), { ...options, paysAgain: true }),
  );
  const open = await fixture.journal.pending();
  expect(open.find(({ isHeld }) => isHeld)?.transactionHash).toEqual(second.transactionHash);
});

test('a payment is not sent again if its recipient is paid by another payment between two tries', async () => {
  const { signed } = await lost();
  fixture.gateway.requests.length = 0;
  fixture.gateway.on(POST, answer('', 503));
  const clock = {
    ...CLOCK,
    sleep: async () => {
      if (fixture.posts.length === 1) await fixture.journal.hold(signed.transactionHash);
    },
  };
  const again = resumePayments(fixture.journal, { gateway: new GatewayClient(fixture.url), clock });
  expect(await again).toMatchObject([{ status: 'leftAlone' }]);
  expect(fixture.posts).toHaveLength(1);
});

test('a payment that a failing journal may have stored is reported as maybe sent', async () => {
  const keep = fixture.journal.signed.bind(fixture.journal);
  fixture.journal.signed = async payment => {
    await keep(payment);
    throw new Error('the answer of the commit is lost');
  };
  fixture.journal.ended = () => Promise.reject(new Error('it is gone'));
  const failed = fixture.run(sendDraft());
  await expect(failed).rejects.toMatchObject({ code: 'JOURNAL_FAILED', facts: { sent: 'maybe' } });
  expect(fixture.posts).toEqual([]);
});

test('a document with a height that the chain has not reached does not make a confirmation false', async () => {
  const { signed } = await lost();
  await fixture.journal.ended(signed.transactionHash, 'expired');
  fixture.gateway.on(POST, receipt()).on(STATUS, NOT_FOUND, stage('confirmed'));
  fixture.gateway.on(HEIGHT, answer('{"height":11}'), answer('{"height":12}'));
  const document = parseSignedDocument(formatDocument({ ...signed, height: 2n ** 64n - 1n }));
  const submitted = await submitTransaction(document, options());
  expect(await confirmTransaction(submitted, options())).toMatchObject({ status: 'confirmed' });
});

test('a recipient is not paid again if the journal cannot hold the earlier payment', async () => {
  await lost();
  fixture.gateway.requests.length = 0;
  fixture.journal.hold = () => Promise.reject(new Error('the disk is full'));
  expect(await pay({ amount: 5n }, { paysAgain: true })).toBe('JOURNAL_FAILED');
  expect(fixture.posts).toEqual([]);
});

test.each<[string, () => GatewayClient]>([
  ['fails look-ups', () => gatewayWithout('GET')],
  ['cannot be reached', () => new GatewayClient('http://127.0.0.1:9')],
])(
  'a payment that was made is reported as maybe sent if its document is submitted to a gateway that %s',
  async (_what, open) => {
    fixture.gateway.on(POST, receipt()).on(STATUS, NOT_FOUND, stage('confirmed'));
    const made = await fixture.run(sendDraft());
    const again = submitTransaction(parseSignedDocument(formatDocument({ ...made, sent: 'no' })), {
      gateway: open(),
      journal: fixture.journal,
      clock: CLOCK,
    });
    await expect(again).rejects.toMatchObject({ facts: { sent: 'maybe' } });
    expect(await fixture.journal.pending()).toMatchObject([{ sent: 'maybe', isInFlight: false }]);
    expect(await pay()).toBe('UNSETTLED_PAYMENT');
  },
);

test('the document of a payment that a gateway reports as confirmed ends as confirmed, and leaves nothing open', async () => {
  fixture.gateway.on(POST, receipt()).on(STATUS, NOT_FOUND, stage('confirmed'));
  const made = await fixture.run(sendDraft());
  const document = parseSignedDocument(formatDocument({ ...made, sent: 'no' }));
  expect(await submitAndConfirm(document, options())).toMatchObject({ status: 'confirmed', duplicate: true });
  expect(fixture.posts).toHaveLength(1);
  expect(await fixture.journal.pending()).toEqual([]);
});

test('a new payment that a gateway reports as confirmed before the broadcast stays open until a look-up', async () => {
  fixture.gateway
    .on(STATUS, stage('confirmed'), NOT_FOUND, NOT_FOUND, stage('confirmed'))
    .on(POST, receipt());
  await expect(fixture.run(sendDraft())).rejects.toMatchObject({ code: 'DUPLICATE_TRANSACTION' });
  expect(fixture.posts).toEqual([]);
  expect(await fixture.journal.pending()).toMatchObject([{ sent: 'maybe' }]);
  expect(await pay()).toBe('UNSETTLED_PAYMENT');
  expect(await resume()).toMatchObject([{ status: 'confirmed' }]);
});

test('a payment that is refused as UNSETTLED_PAYMENT is never stored in the journal', async () => {
  const second = await signSecond();
  await lost();
  const { journal } = fixture;
  const kept: string[] = [];
  const watched: PaymentJournal = {
    signed: payment => {
      kept.push(toHex(payment.transactionHash));
      return journal.signed(payment);
    },
    ended: (hash, end) => journal.ended(hash, end),
    pending: () => journal.pending(),
  };
  const options = { gateway: new GatewayClient(fixture.url), journal: watched, clock: CLOCK };
  const submissions = await Promise.all([1, 2, 3].map(() => codeOf(submitTransaction(second, options))));
  expect(submissions).toEqual(Array(3).fill('UNSETTLED_PAYMENT'));
  expect(kept).toEqual([]);
});

test('a payment that another program takes over before the journal is read again is reported as maybe sent', async () => {
  const { journal } = fixture;
  const keep = journal.signed.bind(journal);
  const other = await signSecond();
  journal.signed = async payment => {
    await keep(payment);
    await journal.ended(payment.transactionHash, 'confirmed');
    await keep(other);
  };
  await expect(fixture.run(sendDraft())).rejects.toMatchObject({
    code: 'UNSETTLED_PAYMENT',
    facts: { sent: 'maybe' },
  });
});

test.each(['takeOver', 'signed'] as const)(
  'an open payment stays open if %s of the journal fails',
  async method => {
    const journal = new MemoryJournal();
    const options = { gateway: gatewayWithout('POST'), journal, clock: CLOCK };
    const made = await signSecond();
    await journal.signed({ ...made, sent: 'maybe' });
    await journal.ended(made.transactionHash, 'accepted');
    Object.assign(journal, { [method]: () => Promise.reject(new Error('the disk is full')) });
    if (method === 'takeOver') await resumePayments(journal, options);
    else expect(await codeOf(submitTransaction({ ...made }, options))).toBe('JOURNAL_FAILED');
    expect(await journal.pending()).toMatchObject([{ sent: 'yes' }]);
  },
);

test('a payment that another program takes over and settles is reported as maybe sent', async () => {
  const journal = new MemoryJournal();
  const gateway = gatewayWithout('POST', async () => {
    const [kept] = await journal.pending();
    if (kept !== undefined) await journal.ended(kept.transactionHash, 'confirmed');
  });
  await expect(fixture.run(sendDraft(), undefined, { journal, gateway })).rejects.toMatchObject({
    facts: { sent: 'maybe', safeAfter: `${SENT.timestamp + 3601n}` },
  });
  expect(await journal.pending()).toMatchObject([{ sent: 'maybe', isInFlight: false }]);
});

test.each<[string, (signed: SignedTransaction) => SignedTransaction]>([
  ['payment', signed => signed],
  ['proxy of a payment', signed => new Proxy(signed, {})],
  ['copy of a payment', signed => ({ ...signed })],
])('a payment is reported as maybe sent if a %s was written to a document', async (_what, copy) => {
  const signed = await signSecond();
  formatDocument(copy(signed));
  const options = { gateway: gatewayWithout('POST'), journal: fixture.journal, clock: CLOCK };
  await expect(submitTransaction(signed, options)).rejects.toMatchObject({ facts: { sent: 'maybe' } });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['payments by another name', [{ payment: {}, sent: 'maybe' }]],
])('a journal whose pending() returns %s is reported before the device is asked', async (_what, given) => {
  const journal = { signed: async () => {}, ended: async () => {}, pending: async () => given as never };
  await expect(fixture.run(sendDraft(), undefined, { journal })).rejects.toMatchObject({
    code: 'JOURNAL_FAILED',
    message: expect.stringContaining('pending() must return an array of signed payments'),
  });
  expect(fixture.asked).toEqual([]);
});

test.each(['memory', 'file'])(
  'a %s journal keeps a document that two calls submit, of which only one sends it',
  async kind => {
    const { signed } = await lost();
    await fixture.journal.ended(signed.transactionHash, 'expired');
    const directory = mkdtempSync(join(tmpdir(), 'journal-'));
    const journal = kind === 'memory' ? fixture.journal : new FileJournal(directory);
    const submit = (gateway: GatewayClient) =>
      codeOf(
        submitTransaction(parseSignedDocument(formatDocument(signed)), { gateway, journal, clock: CLOCK }),
      );
    const codes = await Promise.all([submit(new GatewayClient(fixture.url)), submit(gatewayWithout('POST'))]);
    expect(codes).toEqual(['BROADCAST_UNCERTAIN', 'BROADCAST_UNCERTAIN']);
    expect(await journal.pending()).toMatchObject([{ sent: 'maybe' }]);
    expect(await pay({}, { journal })).toBe('UNSETTLED_PAYMENT');
    rmSync(directory, { recursive: true });
  },
);

test('a payment that another program sends in the meantime is reported as maybe sent', async () => {
  const journal = new MemoryJournal();
  const gateway = gatewayWithout('POST', async () => {
    const [kept] = await journal.pending();
    await journal.signed(kept!);
    await journal.ended(kept!.transactionHash, 'unknown');
  });
  await expect(fixture.run(sendDraft(), undefined, { journal, gateway })).rejects.toMatchObject({
    code: 'GATEWAY_UNREACHABLE',
    facts: { sent: 'maybe' },
  });
  expect(await journal.pending()).toHaveLength(1);
});

/**
 * Returns a client whose requests of one method are refused, because they go to a port on which nothing
 * listens. Before each such request, `act` does what another program would do at that moment.
 */
function gatewayWithout(method: 'GET' | 'POST', act = async () => {}): GatewayClient {
  return new GatewayClient(fixture.url, {
    fetch: async (url, init) => {
      if ((init?.method ?? 'GET') !== method) return fetch(url, init);
      await act();
      return fetch('http://127.0.0.1:9/', init);
    },
  });
}

test('a payment to the same recipient from another account is also refused', async () => {
  const { signed } = await lost();
  const { publicKey } = await keyOf(1).getPublicKey();
  const transaction = { ...signed.transaction, sender: accountFromPublicKey(publicKey) };
  const journal = new MemoryJournal();
  await journal.signed({ ...signed, publicKey, transaction });
  expect(await pay({}, { journal })).toBe('UNSETTLED_PAYMENT');
});

test('the recipient is not paid again while a program is sending the payment, or if a node has it', async () => {
  const { signed } = await lost();
  await fixture.journal.signed(signed);
  expect(await fixture.journal.pending()).toMatchObject([{ isInFlight: true }]);
  expect(await pay()).toBe('UNSETTLED_PAYMENT');
  await fixture.journal.ended(signed.transactionHash, 'accepted');
  expect(await fixture.journal.pending()).toMatchObject([{ isInFlight: false, sent: 'yes' }]);
  expect(await pay()).toBe('UNSETTLED_PAYMENT');
});

const statusOf = ({ transactionHash }: SignedTransaction) =>
  `GET /api/v1/transactions/${toHex(transactionHash)}/status` as const;

/** Returns another payment to the same recipient, prepared without knowledge of the first. */
async function signSecond(): Promise<SignedTransaction> {
  const gateway = new GatewayClient(fixture.url);
  const options = { gateway, publicKey: SENT.sender.payload, journal: new MemoryJournal(), clock: CLOCK };
  const prepared = await prepareTransaction(sendDraft({ amount: 5n }), options);
  return signTransaction(prepared, { signer: keyOf(0), clock: CLOCK });
}

const CLOCK = { now: () => Number(SENT.timestamp) * 1000, sleep: async () => undefined };

/** Makes a payment whose answers are all lost. */
async function lost() {
  fixture.gateway.on(POST, 'drop');
  expect(await pay()).toBe('BROADCAST_UNCERTAIN');
  const event = fixture.events.findLast(({ step }) => step === 'submitting');
  if (event?.step !== 'submitting') throw new Error('nothing was submitted');
  expect(toHex(event.signed.transactionHash)).toBe(HASH);
  return event;
}
