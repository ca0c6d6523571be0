import { setImmediate as turn } from 'node:timers/promises';
import {
  decodeTransaction,
  encodeTransaction,
  fromHex,
  publicKeyOf,
  signingDigest,
  toHex,
  verify,
  ZbcSignerError,
} from '@zbc-signer/chain';
import { expectedReview, type SessionEvent, SignerSession } from '@zbc-signer/host';
import { seededNumbers } from '../../../../testkit/chain/numbers.js';
import { SENT } from '../../../../testkit/gateway/flow-fixture.js';
import { caseCount } from '../../../../testkit/repository/case-count.js';
import { KEY, StateDevice } from './state-device.js';

const PUBLIC_KEY = publicKeyOf(KEY);
const GENESIS = new Uint8Array(32).fill(7);
const SCHEDULES = caseCount(3000, 15);
const STEPS = 40;

/**
 * A device with one account. An abort ends its review immediately, or never, as on a transport that ignores
 * aborts.
 */
class Device extends StateDevice {
  losesReply = false;
  ignoresAborts = false;
  /** The bytes of every signature, in hex. */
  readonly signed: string[] = [];
  /** Transactions that the device showed for review, each with the session's state at that time. */
  readonly shown: [transaction: string, state: SignerSession['state']][] = [];
  session!: SignerSession;
  /** Decides the open review; undefined if there is none. */
  decide: ((isApproved: boolean) => void) | undefined;

  constructor(readonly draw: (below: number) => number) {
    super();
  }

  close(): void {
    this.decide?.(false);
  }

  protected async pause(): Promise<void> {
    for (let turns = this.draw(3); turns > 0; turns -= 1) await turn();
  }

  protected async review(signal?: AbortSignal): Promise<Uint8Array> {
    const transaction = Uint8Array.from(this.received);
    this.shown.push([toHex(transaction), this.session.state]);
    const isApproved = await new Promise<boolean>(resolve => {
      this.decide = resolve;
      if (!this.ignoresAborts) signal?.addEventListener('abort', () => resolve(false));
    });
    this.decide = undefined;
    if (!isApproved) return fromHex('6985');
    this.signed.push(toHex(transaction));
    if (this.losesReply) throw new Error('no cable');
    return this.sign(GENESIS, transaction);
  }
}

interface Call {
  transaction: string;
  outcome: Promise<Uint8Array | ZbcSignerError>;
  abort: AbortController;
}

/** Plays a schedule: actions of programs, of a user and of a cable, in random order. */
async function play(seed: number): Promise<{ signed: number; lost: number }> {
  const draw = seededNumbers(seed);
  const device = new Device(draw);
  const session = new SignerSession(device, { pollMs: 1 });
  device.session = session;
  const events: SessionEvent[] = [];
  const calls: Call[] = [];
  let unsubscribe = session.subscribe(event => events.push(event));
  const sign = () => {
    // All payments differ, so that a second signature of the same payment would be noticed.
    const transaction = encodeTransaction({ ...SENT, amount: BigInt(calls.length + 1) });
    const request = { account: 0, genesisHash: GENESIS.slice(), transaction };
    const abort = new AbortController();
    const options = draw(2) === 0 ? {} : { signal: abort.signal };
    const outcome = session.signTransaction(request, options).then(
      ({ signature }) => signature,
      error => error,
    );
    calls.push({ transaction: toHex(transaction), outcome, abort });
    // Some callers overwrite their arrays after the call.
    if (draw(2) === 0) request.transaction.fill(0xff);
    if (draw(2) === 0) request.genesisHash.fill(0xff);
  };
  const actions = [
    sign,
    sign,
    sign,
    () => device.decide?.(true),
    () => device.decide?.(true),
    () => device.decide?.(draw(2) === 0),
    () => calls[draw(calls.length + 1)]?.abort.abort(),
    () => (device.state = (['locked', 'other app', 'busy', 'gone', 'nonsense'] as const)[draw(5)]!),
    () => (device.state = 'ready'),
    () => (device.state = 'ready'),
    () => (device.losesReply = draw(4) === 0),
    () => (device.ignoresAborts = draw(3) === 0),
    () => void session.getPublicKey(0).catch(() => undefined),
    () => {
      unsubscribe();
      unsubscribe = session.subscribe(event => events.push(event));
    },
    () => draw(12) === 0 && session.close(),
  ];
  for (let at = 0; at < STEPS; at += 1) {
    actions[draw(actions.length)]!();
    for (let turns = draw(8); turns > 0; turns -= 1) await turn();
  }
  // The user decides every review until all calls have ended.
  device.state = 'ready';
  device.losesReply = false;
  let isOver = false;
  const outcomes = Promise.all(calls.map(({ outcome }) => outcome)).finally(() => (isOver = true));
  for (let turns = 0; !isOver; turns += 1) {
    device.decide?.(draw(2) === 0);
    if (turns > 20_000) throw new Error('a call never ends');
    await turn();
  }
  const ended = await outcomes;

  expect(device.overlaps).toBe(0);
  // Each payment was signed at most once, and only requested payments were signed.
  expect(new Set(device.signed).size).toBe(device.signed.length);
  expect(device.signed.filter(one => !calls.some(({ transaction }) => transaction === one))).toEqual([]);
  for (const [at, outcome] of ended.entries()) {
    const { transaction } = calls[at]!;
    if (outcome instanceof Uint8Array) {
      expect(device.signed).toContain(transaction);
      expect(verify(outcome, signingDigest(GENESIS, fromHex(transaction)), PUBLIC_KEY)).toBe(true);
    } else expect(outcome).toBeInstanceOf(ZbcSignerError);
  }
  // During each review, the session's state had the items that the device showed.
  for (const [transaction, state] of device.shown) {
    const subject = { genesisHash: GENESIS, transaction: decodeTransaction(fromHex(transaction)) };
    if (state.state !== 'closed') expect(state).toEqual({ state: 'review', items: expectedReview(subject) });
  }
  await session.close();
  await turn();
  const closed = events.findIndex(event => event.type === 'state' && event.state.state === 'closed');
  expect(closed === -1 ? 0 : events.slice(closed + 1).filter(({ type }) => type === 'state').length).toBe(0);
  const lost = events.filter(event => event.type === 'state' && event.state.state === 'lost').length;
  return { signed: device.signed.length, lost };
}

test(`${SCHEDULES} random schedules with one device end, and sign nothing twice and nothing unrequested`, async () => {
  const totals = { signed: 0, lost: 0 };
  for (let seed = 1; seed <= SCHEDULES; seed += 1) {
    try {
      const { signed, lost } = await play(seed);
      totals.signed += signed;
      totals.lost += lost;
    } catch (error) {
      throw new Error(`schedule ${seed}`, { cause: error });
    }
  }
  console.log(JSON.stringify(totals));
  expect(totals.signed).toBeGreaterThan(SCHEDULES);
  expect(totals.lost).toBeGreaterThan(SCHEDULES / 10);
});
