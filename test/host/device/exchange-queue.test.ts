import { AbortedError, Signer, type Transport } from '@zbc-signer/host';
import { bytesOf, transactionCases } from '../../../testkit/repository/vectors.js';
import { publicKeyReply, signTransaction } from './script.js';

/** A transport that holds every exchange until the test answers it. */
class HeldTransport implements Transport {
  readonly held: { apdu: string; answer(reply: string): void }[] = [];
  #exchanging = false;

  exchange(apdu: Uint8Array): Promise<Uint8Array> {
    expect(this.#exchanging).toBe(false);
    this.#exchanging = true;
    return new Promise(resolve => {
      const answer = (reply: string) => {
        this.#exchanging = false;
        resolve(bytesOf(reply));
      };
      this.held.push({ apdu: Buffer.from(apdu).toString('hex'), answer });
    });
  }

  close(): void {}
}

const long = transactionCases.find(({ name }) => name === 'send, 256-byte message')!;
const request = {
  account: long.account,
  genesisHash: bytesOf(long.genesis),
  transaction: bytesOf(long.tx),
};

/** Lets all pending callbacks run. */
const settle = () => new Promise(resolve => setImmediate(resolve));

/** Answers held exchanges according to the script until no exchange is left. */
async function serve(transport: HeldTransport, answers: Map<string, string>): Promise<string[]> {
  const seen: string[] = [];
  for (let exchange = transport.held.shift(); exchange !== undefined; exchange = transport.held.shift()) {
    seen.push(exchange.apdu);
    exchange.answer(answers.get(exchange.apdu) ?? '6f00');
    await settle();
  }
  return seen;
}

describe('overlapping calls', () => {
  test('wait for each other, and are never sent between the chunks of an upload', async () => {
    const transport = new HeldTransport();
    const signer = new Signer(transport);
    const script = signTransaction(long);
    const account1: [string, string] = ['e00500000401000000', publicKeyReply(1)];
    const calls = [signer.signTransaction(request), signer.getPublicKey(1), signer.signTransaction(request)];
    await settle();
    const seen = await serve(transport, new Map([...script, account1]));
    const upload = script.map(([command]) => command);
    expect(upload.length).toBeGreaterThan(3);
    expect(seen).toEqual([...upload, account1[0], ...upload]);
    expect(await Promise.all(calls)).toHaveLength(3);
  });

  test('continue after a call that failed', async () => {
    const transport = new HeldTransport();
    const signer = new Signer(transport);
    const [locked, answered] = [signer.getPublicKey(0), signer.getPublicKey(1)];
    locked.catch(() => undefined);
    await settle();
    const seen = serve(
      transport,
      new Map([
        ['e00500000400000000', '5515'],
        ['e00500000401000000', publicKeyReply(1)],
      ]),
    );
    await expect(locked).rejects.toMatchObject({ code: 'LOCKED' });
    await expect(answered).resolves.toBeDefined();
    expect(await seen).toHaveLength(2);
  });
});

test.each<[string, (signer: Signer) => Promise<unknown>]>([
  ['getPublicKey', signer => signer.getPublicKey(0)],
  ['signMessage', signer => signer.signMessage(0, Buffer.from('text'))],
  ['signTransaction', signer => signer.signTransaction(request)],
])('the error of %s has the line of its call in its stack', async (_name, call) => {
  const transport = new HeldTransport();
  const awaiting = async () => await call(new Signer(transport));
  const failed = awaiting().catch((error: Error) => error.stack);
  await settle();
  await serve(transport, new Map([['e00500000400000000', '5515']]));
  expect(await failed).toMatch(/at (async )?awaiting \(.*exchange-queue\.test/);
});

describe('an AbortSignal', () => {
  test("rejects the call at once, with the signal's reason as the cause, while the transport is still busy", async () => {
    const transport = new HeldTransport();
    const abort = new AbortController();
    const waiting = new Signer(transport).getPublicKey(0, { confirm: true, signal: abort.signal });
    await settle();
    const reason = new Error('enough');
    abort.abort(reason);
    const failure = await waiting.catch((error: AbortedError) => error);
    expect(failure).toBeInstanceOf(AbortedError);
    expect(failure).toMatchObject({ code: 'ABORTED', cause: reason });
    expect(transport.held).toHaveLength(1);
  });

  test('that fired before the call prevents any exchange', async () => {
    const transport = new HeldTransport();
    const signing = new Signer(transport).signTransaction(request, { signal: AbortSignal.abort() });
    await expect(signing).rejects.toMatchObject({ code: 'ABORTED' });
    await settle();
    expect(transport.held).toEqual([]);
  });

  test('cancels a call that still waits for its turn', async () => {
    const transport = new HeldTransport();
    const signer = new Signer(transport);
    const abort = new AbortController();
    const answered = signer.getPublicKey(0);
    const waiting = signer.getPublicKey(1, { signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    const seen = await serve(transport, new Map([['e00500000400000000', publicKeyReply(0)]]));
    await answered;
    expect(seen).toEqual(['e00500000400000000']);
  });

  test('does not start the next call before a transport that ignores the signal has finished', async () => {
    const transport = new HeldTransport();
    const signer = new Signer(transport);
    const abort = new AbortController();
    const aborted = signer.getPublicKey(0, { signal: abort.signal });
    const next = signer.getPublicKey(1);
    await settle();
    abort.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    await settle();
    expect(transport.held).toHaveLength(1);
    const seen = serve(transport, new Map([['e00500000401000000', publicKeyReply(1)]]));
    await expect(next).resolves.toBeDefined();
    expect(await seen).toHaveLength(2);
  });

  test('ends an upload between two chunks', async () => {
    const transport = new HeldTransport();
    const abort = new AbortController();
    const signing = new Signer(transport).signTransaction(request, { signal: abort.signal });
    await settle();
    const script = new Map(signTransaction(long));
    for (const _ of ['public key', 'header']) {
      const exchange = transport.held.shift()!;
      exchange.answer(script.get(exchange.apdu)!);
      await settle();
    }
    abort.abort();
    transport.held.shift()!.answer('9000');
    await expect(signing).rejects.toMatchObject({ code: 'ABORTED' });
    await settle();
    expect(transport.held).toEqual([]);
  });
});
