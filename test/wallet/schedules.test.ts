import { parseAccount, toHex, ZbcSignerError } from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import { SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { readChain } from '#wallet/page/chain.js';
import { resume, send } from '#wallet/page/payments.js';
import { connect, notePlug, readDevice } from '#wallet/page/signer.js';
import { shownAccount } from '#wallet/page/state.js';
import type { Wallet } from '#wallet/page/wallet.js';
import { ModelChain } from '../../testkit/chain/model-chain.js';
import { seededNumbers } from '../../testkit/chain/numbers.js';
import { OTHER } from '../../testkit/gateway/chain-answers.js';
import { caseCount } from '../../testkit/repository/case-count.js';
import { until } from '../../testkit/time/until.js';
import { ModelBrowser, type ModelTab } from '../../testkit/wallet/model-browser.js';
import { walletIn } from './wallet-scene.js';

const TABS = 3;
const STEPS = 24;
const MAX_TURNS = 500;
const SCHEDULES = caseCount(1000, 40);
/**
 * The longest timer that may still run after a page is closed: the wait for the device's answer to a probe.
 */
const LINK_MS = 4500;
const HASH_AT = 64;
const HASH_END = 96;

/** A payment that the user began in a tab. */
interface Payment {
  amount: bigint;
  tab: ModelTab;
  outcome: 'open' | 'sent' | 'failed';
  error?: unknown;
  abort: AbortController;
}

interface OpenTab {
  tab: ModelTab;
  wallet: Wallet;
  ready: Promise<void>;
}

const turns = async (count: number) => {
  for (let at = 0; at < count; at += 1) await new Promise(resolve => setImmediate(resolve));
};

/** One schedule: random actions of a user with three tabs, a device and a cable. */
class Schedule {
  readonly chain = new ModelChain();
  readonly payments: Payment[] = [];
  /** The hashes of the transactions that the device signed, and of those that reached a page. */
  readonly signed: string[] = [];
  readonly kept = new Set<string>();
  readonly profile: ModelBrowser;
  readonly #tabs: (OpenTab | undefined)[] = [];

  constructor(
    readonly emulator: Emulator,
    readonly draw: (below: number) => number,
  ) {
    this.profile = new ModelBrowser(emulator, this.chain, () => draw(4));
    // The device signs in reply to REVEAL.
    emulator.on('command', reply => {
      if (reply?.length === HASH_END + 2) this.signed.push(toHex(reply.slice(HASH_AT, HASH_END)));
    });
  }

  async run(): Promise<void> {
    for (let at = 0; at < TABS; at += 1) this.#open(at);
    await this.#tabs[0]!.ready;
    for (let at = 0; at < STEPS; at += 1) {
      await this.#step();
      await turns(this.draw(12));
    }
    await this.#finish();
  }

  async #step(): Promise<void> {
    // This lets most steps find a device and a tab.
    if (!this.profile.plugged && this.draw(2) === 0) this.profile.plug();
    const at = this.#chooseTab();
    if (this.#tabs[at] === undefined && this.draw(2) === 0) this.#open(at);
    const open = this.#tabs[at];
    switch (this.draw(13)) {
      case 0:
      case 1:
      case 2:
      case 3:
        this.#pay(open);
        return this.draw(4) === 0 ? undefined : this.#awaitReview();
      case 4:
      case 5:
      case 6:
        return this.#decide('approve');
      case 7:
        return this.#decide('reject');
      case 8:
        this.#close(at);
        return this.#open(at);
      case 9:
        return open === undefined ? this.#open(at) : this.#close(at);
      case 10:
        return this.profile.plugged ? this.profile.unplug() : this.profile.plug();
      case 11:
        void open?.wallet.state.signer?.useHere().then(
          () => readDevice(open.wallet),
          () => undefined,
        );
        return undefined;
      default:
        return this.#disturb();
    }
  }

  /** Usually the tab that is connected to the device. */
  #chooseTab(): number {
    const having = this.#tabs.findIndex(open => open?.wallet.state.signer?.state === 'open');
    return having !== -1 && this.draw(5) < 3 ? having : this.draw(TABS);
  }

  /** Waits until the device shows a review, or until no review can follow any more. */
  async #awaitReview(): Promise<void> {
    const isOpen = () => this.payments.some(({ tab, outcome }) => !tab.isGone && outcome === 'open');
    for (let at = 0; at < MAX_TURNS && !this.emulator.reviewing && isOpen(); at += 1) await turns(1);
  }

  #disturb(): void {
    switch (this.draw(6)) {
      case 0:
        this.chain.lostRequests += 1;
        return;
      case 1:
        this.chain.lostAnswers += 1;
        return;
      default:
        this.payments.findLast(({ outcome }) => outcome === 'open')?.abort.abort();
    }
  }

  #open(at: number): void {
    const tab = this.profile.openTab();
    const wallet = walletIn(tab.browser);
    this.#watch(wallet.journal);
    wallet.devices.subscribe(event => notePlug(wallet, event));
    const connectFirst = async () => {
      await readChain(wallet);
      const device = (await wallet.devices.list())[0] ?? (await wallet.devices.request('hid'));
      if (device !== undefined) await connect(wallet, device);
    };
    this.#tabs[at] = { tab, wallet, ready: connectFirst() };
  }

  /** Notes the payments that are kept, and forgets those that the library reports as never sent. */
  #watch(journal: Wallet['journal']): void {
    const [signed, ended] = [journal.signed.bind(journal), journal.ended.bind(journal)];
    journal.signed = async payment => {
      await signed(payment);
      this.kept.add(toHex(payment.transactionHash));
    };
    journal.ended = async (hash, end) => {
      await ended(hash, end);
      if (end === 'notSent') this.kept.delete(toHex(hash));
    };
  }

  #close(at: number): void {
    this.#tabs[at]?.tab.close();
    this.#tabs[at] = undefined;
  }

  /** Pays if the page would let the user: an account is on the screen, and the tab runs no other payment. */
  #pay(open: OpenTab | undefined): void {
    if (open === undefined || shownAccount(open.wallet.state) === undefined) return;
    if (this.payments.some(({ tab, outcome }) => tab === open.tab && outcome === 'open')) return;
    const amount = BigInt(this.payments.length + 1);
    const abort = new AbortController();
    const payment: Payment = { amount, tab: open.tab, outcome: 'open', abort };
    this.payments.push(payment);
    const draft = { type: SEND_ZBC, recipient: parseAccount(OTHER), amount } as const;
    send(open.wallet, draft, {
      title: `Send ${amount}`,
      signal: abort.signal,
      onProgress: () => undefined,
    }).then(
      () => Object.assign(payment, { outcome: 'sent' }),
      error => Object.assign(payment, { outcome: 'failed', error }),
    );
  }

  async #decide(decision: 'approve' | 'reject'): Promise<void> {
    if (!this.emulator.reviewing) return;
    await this.emulator[decision]().catch(() => undefined);
  }

  /** The user plugs in, rejects an open review, and looks at the wallet in one new tab. */
  async #finish(): Promise<void> {
    this.profile.plug();
    this.chain.lostRequests = 0;
    this.chain.lostAnswers = 0;
    const isOver = () =>
      this.payments.every(({ tab, outcome }) => tab.isGone || outcome !== 'open') && !this.emulator.reviewing;
    while (!isOver()) {
      await this.#decide('reject');
      await new Promise(resolve => setTimeout(resolve, 1));
    }
    for (let at = 0; at < TABS; at += 1) this.#close(at);
    this.#open(0);
    const { wallet, ready } = this.#tabs[0]!;
    await ready;
    await until(() => shownAccount(wallet.state) !== undefined);
    await resume(wallet);
    expect(await wallet.journal.pending()).toEqual([]);
    this.#close(0);
  }
}

/** The invariants after every schedule. */
function check({ chain, payments, signed, kept }: Schedule): { unknown: number } {
  // Nothing is signed or paid twice, and nothing without the user's approval.
  expect(new Set(signed).size).toBe(signed.length);
  expect(signed.length).toBeLessThanOrEqual(payments.length);
  const amounts = [...chain.confirmed.values()];
  expect(new Set(amounts).size).toBe(amounts.length);
  expect([...chain.confirmed.keys()].filter(hash => !signed.includes(hash))).toEqual([]);
  // Each signature that a page has received is on the chain.
  expect([...kept].filter(hash => !chain.confirmed.has(hash))).toEqual([]);
  expect([...chain.confirmed.keys()].filter(hash => !kept.has(hash))).toEqual([]);
  // Payments that the page calls sent are on the chain; those that it calls rejected or not sent are not.
  for (const { outcome, error, amount } of payments) {
    if (outcome === 'sent') expect(amounts).toContain(amount);
    if (outcome === 'failed') {
      expect(error).toBeInstanceOf(ZbcSignerError);
      const { sent } = (error as ZbcSignerError).facts;
      if (sent === undefined) expect(amounts).not.toContain(amount);
    }
  }
  return { unknown: signed.filter(hash => !kept.has(hash)).length };
}

// Waits for the timers of closed pages.
afterAll(() => new Promise(resolve => setTimeout(resolve, LINK_MS)));

test(`in ${SCHEDULES} random schedules with three tabs, no signature is lost or used twice`, async () => {
  const totals = { payments: 0, signed: 0, confirmed: 0, unknown: 0, failed: 0 };
  for (let seed = 1; seed <= SCHEDULES; seed += 1) {
    const emulator = await Emulator.start();
    const schedule = new Schedule(emulator, seededNumbers(seed));
    try {
      await schedule.run();
      totals.unknown += check(schedule).unknown;
    } catch (error) {
      throw new Error(`schedule ${seed}`, { cause: error });
    }
    emulator.stop();
    totals.payments += schedule.payments.length;
    totals.signed += schedule.signed.length;
    totals.confirmed += schedule.chain.confirmed.size;
    totals.failed += schedule.payments.filter(({ outcome }) => outcome === 'failed').length;
  }
  console.log(JSON.stringify(totals));
  expect(totals.confirmed).toBeGreaterThan(SCHEDULES / 4);
}, 600_000);
