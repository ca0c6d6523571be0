import { setTimeout as pause } from 'node:timers/promises';
import { formatCoins, toHex } from '@zbc-signer/chain';
import type { Page } from 'playwright-core';
import { caseCount } from '../../../testkit/repository/case-count.js';
import { accounts } from '../../../testkit/repository/vectors.js';
import { requestCoins } from '../../../testkit/screen/wallet-page.js';
import { until } from '../../../testkit/time/until.js';
import { chromiumOfFile } from '../chromium-of-file.js';
import { WalletScene } from './scene.js';

// `make qa ONLY=wallet-schedules` runs all; FIRST_SEED=431 SCHEDULES=1 repeats one that failed.
const SCHEDULES = Number(process.env.SCHEDULES ?? caseCount(1000, 100));
const FIRST_SEED = Number(process.env.FIRST_SEED ?? 1);
/** Number of scenes at the same time, each with its own chain and profile: one waits while the other computes. */
const CONCURRENT_SCENES = 2;
/** Number of schedules on one chain, in one profile of the browser. */
const SCHEDULES_A_SCENE = 20;
const STEPS = 12;
const TABS = 3;
/** Time limit for events that usually happen within a few milliseconds. */
const PATIENCE_MS = 3000;
const LONGEST_PAUSE_MS = 60;
const LIMIT_MS = 30_000;
const { address: SECOND, public_key: SECOND_KEY } = accounts.cases[1]!;
const HASH_AT = 64;
const HASH_END = 96;

// The page evaluates each script as a whole, without running code of its own in between.
const IS_CONNECTED = `document.querySelector('#wallet')?.checkVisibility() === true`;
const IS_OVER = `document.querySelector('#task-result').childElementCount > 0`;
const USE_HERE = `document.querySelector('#use-here').click()`;
/** Resolves when no task is running, or after a time limit. */
const UNTIL_OVER = `new Promise(resolve => {
  const result = document.querySelector('#task-result');
  const look = () => (!document.querySelector('dialog').open || ${IS_OVER}) && resolve();
  new MutationObserver(look).observe(result, { childList: true });
  look();
  setTimeout(resolve, ${PATIENCE_MS});
})`;
/** The hashes that the page keeps. */
const KEPT = `new Promise((resolve, reject) => {
  const opened = indexedDB.open('zbc-signer payments', 1);
  opened.onupgradeneeded = () => {
    for (const name of ['payments', 'timestamps']) opened.result.createObjectStore(name);
  };
  opened.onerror = () => reject(opened.error);
  opened.onsuccess = () => {
    const asked = opened.result.transaction('payments').objectStore('payments').getAllKeys();
    asked.onsuccess = () => (opened.result.close(), resolve(asked.result));
  };
})`;
/** Fills in and submits the form if a user could: an account is on the screen and no task is running. */
const pay = (amount: string) => `(() => {
  if (!(${IS_CONNECTED})) return false;
  const close = document.querySelector('#task-close');
  if (document.querySelector('dialog').open) {
    if (!close.checkVisibility() || !(${IS_OVER})) return false;
    close.click();
  }
  location.hash = '#/send';
  document.querySelector('#send-to').value = '${SECOND}';
  document.querySelector('#send-amount').value = '${amount}';
  document.querySelector('#send-form').requestSubmit();
  return true;
})()`;
/** Presses every button of the list of unsettled payments, except those that forget a payment. */
const RESUME = `(() => {
  for (const pressed of document.querySelectorAll('#unsettled-list button:not(:disabled)')) {
    if (pressed.textContent !== 'Forget') pressed.click();
  }
})()`;

const browser = chromiumOfFile();

/** Numerical Recipes' generator; the upper bits are good enough to choose a step. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The payments of one profile so far; amounts are never repeated. */
interface Balance {
  payments: number;
  /** The amounts that the user approved, as the device showed them. */
  readonly approved: string[];
}

/** Evaluates an expression in a tab; resolves with undefined if there is no tab or it closes meanwhile. */
function look<Result>(tab: Page | undefined, expression: string): Promise<Result | undefined> {
  return tab === undefined
    ? Promise.resolve(undefined)
    : tab.evaluate<Result>(expression).catch(() => undefined);
}

/** Plays one schedule, which begins in the new tab `first`; resolves with a new tab, the only one left. */
async function play(
  scene: WalletScene,
  first: Page,
  balance: Balance,
  draw: (below: number) => number,
): Promise<Page> {
  const tabs: (Page | undefined)[] = [first];
  let isPlugged = true;
  const { emulator } = scene.server;
  const beginPayment = async (tab: Page | undefined) => {
    // A tab sends one payment at a time, and is still busy with it after the review.
    if (!emulator.reviewing && draw(3) > 0) await look(tab, UNTIL_OVER);
    if ((await look(tab, pay(formatCoins(BigInt(balance.payments + 1))))) !== true) return;
    balance.payments += 1;
    const review = emulator.waitForReview(PATIENCE_MS).catch(() => undefined);
    await Promise.race([review, look(tab, UNTIL_OVER)]);
  };
  const approve = async () => {
    const items = await emulator.review();
    await emulator.approve();
    balance.approved.push(items.find(([name]) => name === 'Amount')![1]);
  };
  /** Usually chooses the tab that is connected to the device. */
  const chooseTab = async () => {
    const shown = await Promise.all(tabs.map(async tab => (await look(tab, IS_CONNECTED)) === true));
    return shown.includes(true) && draw(5) < 3 ? shown.indexOf(true) : draw(TABS);
  };
  // The first payment is certainly signed, whatever happens next.
  await first.locator('#wallet').waitFor();
  for (const end = Date.now() + LIMIT_MS; !emulator.reviewing && Date.now() < end; ) {
    await beginPayment(first);
  }
  await approve();
  for (let step = 0; step < STEPS; step += 1) {
    if (!isPlugged && draw(2) === 0) {
      await scene.hid.plug();
      isPlugged = true;
    }
    const at = await chooseTab();
    switch (draw(12)) {
      case 0:
      case 1:
      case 2:
        await beginPayment(tabs[at]);
        break;
      case 3:
      case 4:
      case 5:
      case 6:
      case 7:
        if (emulator.reviewing) await approve().catch(() => undefined);
        break;
      case 8:
        await tabs[at]?.reload({ waitUntil: 'domcontentloaded' });
        break;
      case 9:
        if (tabs[at] === undefined) tabs[at] = await scene.openTab();
        else await tabs[at].close().then(() => (tabs[at] = undefined));
        break;
      case 10:
        await (isPlugged
          ? scene.hid.unplug(emulator.reviewing && draw(2) === 0 ? approve : undefined)
          : scene.hid.plug());
        isPlugged = !isPlugged;
        break;
      default:
        await look(tabs[at], USE_HERE);
    }
    if (draw(2) === 0) await pause(draw(LONGEST_PAUSE_MS));
  }
  if (!isPlugged) await scene.hid.plug();
  const [left, ...others] = tabs.filter(tab => tab !== undefined);
  await Promise.all(others.map(tab => tab.close()));
  await left?.reload({ waitUntil: 'domcontentloaded' });
  return left ?? scene.openTab();
}

/** Opens a new tab. At its start, it settles the payments that are not known to be on the chain. */
async function drain(page: Page, { server: { emulator } }: WalletScene): Promise<void> {
  // An earlier tab may have left a review open.
  await until(async () => {
    if (emulator.reviewing) await emulator.reject().catch(() => undefined);
    return (await look(page, IS_CONNECTED)) === true;
  });
  await until(async () => {
    await look(page, RESUME);
    return (await look<string[]>(page, KEPT))?.length === 0;
  });
}

interface Listed {
  recipient_account_address: string;
  transaction_hash: string;
  transaction_body_bytes: string;
}

/** The transactions that the node lists. */
async function listPayments(nodeUrl: string): Promise<Listed[]> {
  const answer = await fetch(`${nodeUrl}/api/v1/transactions?limit=100`);
  const { transactions } = (await answer.json()) as { transactions: Listed[] };
  return transactions.filter(({ recipient_account_address: to }) => to.endsWith(SECOND_KEY));
}

/** Runs schedules one after another, on one chain. */
class Scene {
  readonly signed: string[] = [];
  readonly #balance: Balance = { payments: 0, approved: [] };
  /** The chain's transactions by hash, collected because the node lists only the newest ones. */
  readonly #known = new Map<string, Listed>();

  private constructor(
    private readonly scene: WalletScene,
    private tab: Page,
  ) {
    scene.server.emulator.on('command', reply => {
      if (reply?.length === HASH_END + 2) this.signed.push(toHex(reply.slice(HASH_AT, HASH_END)));
    });
  }

  static async open(): Promise<Scene> {
    const scene = await WalletScene.open(browser());
    const tab = await scene.openOverHid();
    await requestCoins(tab);
    return new Scene(scene, tab);
  }

  /** Number of transactions on the chain. */
  get confirmed(): number {
    return this.#known.size;
  }

  /**
   * Runs a schedule; if it takes longer than the limit, fails with the texts of all tabs and of the device.
   */
  async runWithin(limitMs: number, seed: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => void this.#describe().then(shown => reject(new Error(shown))), limitMs);
    });
    await Promise.race([this.#run(seed), limit]).finally(() => clearTimeout(timer));
  }

  async #describe(): Promise<string> {
    const { context, server } = this.scene;
    const shown = await Promise.all(
      context
        .pages()
        .map(page => Promise.race([look<string>(page, 'document.body.innerText'), pause(PATIENCE_MS)])),
    );
    return ['It does not end.', ...shown.map(String), ...server.emulator.texts()].join('\n');
  }

  async #run(seed: number): Promise<void> {
    this.tab = await play(this.scene, this.tab, this.#balance, random(seed));
    const kept = await this.tab.evaluate<string[]>(KEPT);
    await drain(this.tab, this.scene);
    const missing = await this.#awaitListed(kept);
    const amounts = [...this.#known.values()].map(({ transaction_body_bytes: body }) => body);
    const hashes = [...this.#known.keys()];
    expect(new Set(amounts).size).toBe(amounts.length);
    expect(new Set(this.signed).size).toBe(this.signed.length);
    // The user approves each payment once, and sees no payment twice.
    expect(this.signed.length).toBeLessThanOrEqual(this.#balance.approved.length);
    expect(new Set(this.#balance.approved).size).toBe(this.#balance.approved.length);
    expect(hashes.filter(hash => !this.signed.includes(hash))).toEqual([]);
    expect(missing).toEqual([]);
    expect(this.scene.complaints).toEqual([]);
  }

  close(): Promise<void> {
    return this.scene.close();
  }

  /**
   * Waits until the hashes are on the chain. Resolves with the hashes that are still missing at the time limit.
   */
  async #awaitListed(hashes: string[]): Promise<string[]> {
    for (const end = Date.now() + LIMIT_MS; ; ) {
      for (const paid of await listPayments(this.scene.devnet.nodeUrl)) {
        this.#known.set(paid.transaction_hash, paid);
      }
      const missing = hashes.filter(hash => !this.#known.has(hash));
      if (missing.length === 0 || Date.now() > end) return missing;
    }
  }
}

test(
  `${SCHEDULES} random schedules in three tabs of Chromium neither lose nor duplicate a signature`,
  async () => {
    const totals = { signed: 0, confirmed: 0 };
    let done = 0;
    const runScenes = async () => {
      while (done < SCHEDULES) {
        const from = done;
        const end = Math.min(from + SCHEDULES_A_SCENE, SCHEDULES);
        done = end;
        const scene = await Scene.open();
        try {
          for (let at = from; at < end; at += 1) {
            await scene.runWithin(2 * LIMIT_MS, FIRST_SEED + at).catch(cause => {
              throw new Error(`schedule ${FIRST_SEED + at}`, { cause });
            });
          }
          totals.signed += scene.signed.length;
          totals.confirmed += scene.confirmed;
        } finally {
          await scene.close();
        }
        process.stderr.write(`schedules ${FIRST_SEED + from} to ${FIRST_SEED + end - 1} hold\n`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_SCENES }, runScenes));
    console.log(JSON.stringify(totals));
    expect(totals.signed).toBeGreaterThanOrEqual(SCHEDULES);
    expect(totals.confirmed).toBeGreaterThan(0);
  },
  LIMIT_MS * SCHEDULES,
);
