import { setTimeout as sleep } from 'node:timers/promises';
import { toHex } from '@zbc-signer/chain';
import { formatDocument, type SignedTransaction } from '@zbc-signer/host';
import { type BrowserLocks, IndexedDbJournal } from '@zbc-signer/web';
import { IDBDatabase, IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { FlowFixture, SEND, sendDraft } from '../../testkit/gateway/flow-fixture.js';
import { describeSharedJournal, madePayment } from '../../testkit/gateway/shared-journal.js';

const HASH = SEND.expect.tx_hash;
// Longer than a busy computer takes to answer.
const ANSWER_MS = 1000;

let fixture: FlowFixture;
let payment: SignedTransaction;
let database: InstanceType<typeof IDBFactory>;
let locks: LockManager;
beforeAll(async () => {
  fixture = await FlowFixture.start();
  payment = await madePayment();
});
afterAll(() => fixture.gateway.stop());
beforeEach(() => {
  database = new IDBFactory();
  locks = new LockManager();
});

/** Web Locks of an origin; closing a tab releases its locks. */
class LockManager {
  readonly #held = new Map<string, object>();

  of(tab: object): BrowserLocks {
    return {
      request: async (name, _options, callback) => {
        if (this.#held.has(name)) return callback(null);
        this.#held.set(name, tab);
        return callback({}).finally(() => this.#held.delete(name));
      },
      query: async () => ({ held: [...this.#held.keys()].map(name => ({ name })) }),
    };
  }

  kill(tab: object): void {
    for (const [name, holder] of this.#held) if (holder === tab) this.#held.delete(name);
  }
}

function openTab({ indexedDB }: { indexedDB: object | undefined } = { indexedDB: database }) {
  const tab = {};
  const browser = {
    indexedDB,
    locks: locks.of(tab),
    fetch,
    openChannel: () => {
      throw new Error('not used');
    },
  };
  const journal = new IndexedDbJournal(browser, ANSWER_MS);
  return { journal, kill: () => locks.kill(tab) };
}

describeSharedJournal(() => openTab().journal);

/** Writes a value that is not a document of this library, next to or in place of the kept ones. */
async function put(key: string, value: unknown): Promise<void> {
  const opened = database.open('zbc-signer payments', 1);
  await new Promise(resolve => {
    opened.onsuccess = resolve;
  });
  const transaction = opened.result.transaction('payments', 'readwrite');
  transaction.objectStore('payments').put(value, key);
  await new Promise(resolve => {
    transaction.oncomplete = resolve;
  });
  opened.result.close();
}

const documentOf = async () => {
  const [kept] = await openTab().journal.pending();
  return formatDocument(kept!);
};

test('another tab sees a payment, which is in flight while its own tab is open', async () => {
  const [tab, other] = [openTab(), openTab()];
  expect(await other.journal.pending()).toEqual([]);
  await tab.journal.signed(payment);
  expect(await documentOf()).toBe(formatDocument({ ...payment, sent: 'maybe' }));
  expect(await other.journal.pending()).toMatchObject([{ isInFlight: true }]);
  tab.kill();
  expect(await other.journal.pending()).toMatchObject([{ isInFlight: false, sent: 'maybe' }]);
});

test('a payment that two tabs send stays in flight for the other tab when it ends in one tab', async () => {
  const [tab, other] = [openTab(), openTab()];
  await tab.journal.signed(payment);
  await other.journal.signed(payment);
  await other.journal.ended(payment.transactionHash, 'unknown');
  expect(await other.journal.pending()).toMatchObject([{ isInFlight: true, sent: 'maybe' }]);
});

test.each<[string, string, (document: string) => unknown]>([
  ['empty', HASH, () => ''],
  ['not a text', HASH, () => ({ amount: 1 })],
  ['cut short', HASH, document => document.slice(0, 200)],
  ['of another version', HASH, document => document.replace('"version":1', '"version":9')],
  ['with another signature', HASH, document => document.replace(SEND.expect.signature, 'f'.repeat(128))],
  ['of another hash', 'a'.repeat(64), document => document],
])('an entry that is %s is reported by its hash, kept, and never ignored', async (_what, key, damage) => {
  const { journal } = openTab();
  await journal.signed(payment);
  const damagedDocument = damage(await documentOf());
  await put(key, { document: damagedDocument, calls: 1 });
  const damaged = { code: 'JOURNAL_FAILED', facts: { earlierHash: key, sent: 'maybe' } };
  await expect(journal.pending()).rejects.toMatchObject(damaged);
  await expect(journal.pending()).rejects.toThrow(`${key} of this browser is damaged`);
  const hash = Uint8Array.from(Buffer.from(key, 'hex'));
  await expect(journal.ended(hash, 'accepted')).rejects.toMatchObject(damaged);
  await journal.ended(hash, 'expired');
  expect((await journal.pending()).map(({ transactionHash }) => toHex(transactionHash))).toEqual(
    key === HASH ? [] : [HASH],
  );
});

test('sixteen tabs at once get sixteen timestamps', async () => {
  const tabs = Array.from({ length: 16 }, () => openTab());
  const taken = await Promise.all(tabs.map(({ journal }) => journal.reserve(payment, new Set())));
  expect(new Set(taken).size).toBe(16);
});

test('a payment is on the disk, as far as the browser knows, when it counts as kept', async () => {
  const { transaction } = IDBDatabase.prototype;
  const options: unknown[] = [];
  let isComplete = false;
  IDBDatabase.prototype.transaction = function (...given: Parameters<typeof transaction>) {
    options.push(given[2]);
    const begun = transaction.apply(this, given);
    // A disk is slower than this database.
    const end = (listener: () => void) => {
      isComplete = true;
      listener();
    };
    Object.defineProperty(begun, 'oncomplete', {
      set: listener => begun.addEventListener('complete', () => setTimeout(end, 50, listener)),
    });
    return begun;
  };
  try {
    await openTab().journal.signed(payment);
    expect([isComplete, options.at(-1)]).toEqual([true, { durability: 'strict' }]);
  } finally {
    IDBDatabase.prototype.transaction = transaction;
  }
});

describe('a browser whose IndexedDB fails', () => {
  const opening = (answer: (request: Record<string, () => void>) => void) => ({
    open: () => {
      const request = {};
      setImmediate(() => answer(request));
      return request;
    },
  });

  test.each<[string, () => object | undefined, string]>([
    ['has no IndexedDB', () => undefined, 'has no IndexedDB'],
    [
      'forbids IndexedDB',
      () => ({
        open: () => {
          throw new Error('the user has switched it off\u001b[2J');
        },
      }),
      'switched it off',
    ],
    ['never answers', () => opening(() => undefined), 'does not answer'],
    [
      'is blocked by another tab',
      () => opening(request => request.onblocked!()),
      'another tab keeps an older version of the database open',
    ],
    [
      'cannot open the database',
      () => opening(request => Object.assign(request, { error: new Error('disk') }).onerror!()),
      'disk',
    ],
  ])('sends nothing and reports the failure if it %s', async (_what, indexedDB, reason) => {
    const { journal } = openTab({ indexedDB: indexedDB() });
    const failed = { code: 'JOURNAL_FAILED', message: expect.stringContaining(reason) };
    await expect(journal.signed(payment)).rejects.toMatchObject(failed);
    await expect(journal.pending()).rejects.toMatchObject(failed);
    await expect(journal.reserve(payment, new Set())).rejects.toMatchObject(failed);

    const { gateway } = fixture;
    gateway.requests.length = 0;
    await expect(fixture.run(sendDraft(), undefined, { journal })).rejects.toMatchObject({
      ...failed,
      message: expect.not.stringContaining('\u001b'),
      facts: {},
    });
    expect(fixture.posts).toEqual([]);
  });

  test('undoes the write, sends nothing, and keeps the earlier payment if the storage is full', async () => {
    const { journal } = openTab();
    await journal.signed(payment);
    const { put } = IDBObjectStore.prototype;
    // A browser does this if the disk is full when it writes.
    IDBObjectStore.prototype.put = function (this: { transaction: { abort(): void } }, ...given: unknown[]) {
      const request = put.apply(this, given);
      this.transaction.abort();
      return request;
    };
    try {
      const failed = { code: 'JOURNAL_FAILED', message: expect.stringContaining('this call sent nothing') };
      await expect(journal.signed(payment)).rejects.toMatchObject(failed);
      await expect(journal.reserve(payment, new Set())).rejects.toMatchObject(failed);
    } finally {
      IDBObjectStore.prototype.put = put;
    }
    expect(await journal.pending()).toMatchObject([{ isInFlight: false, sent: 'maybe' }]);
  });

  test('sends nothing, reports the failure, and leaves no entry to send later if it fails after the approval', async () => {
    const { journal } = openTab();
    const broken = openTab({ indexedDB: opening(() => undefined) }).journal;
    journal.signed = broken.signed.bind(broken);
    fixture.gateway.requests.length = 0;
    await expect(fixture.run(sendDraft(), undefined, { journal })).rejects.toMatchObject({
      code: 'JOURNAL_FAILED',
      facts: { sent: 'no', transactionHash: expect.any(String) },
    });
    expect(fixture.posts).toEqual([]);
    expect(await openTab().journal.pending()).toEqual([]);
  });

  test('a stalled database operation is given up, and its change is not made later', async () => {
    const { journal } = openTab();
    await journal.pending();
    let isFree = false;
    // A transaction of another tab, which does not end, blocks the database.
    const opened = database.open('zbc-signer payments', 1);
    await new Promise(resolve => {
      opened.onsuccess = resolve;
    });
    const store = opened.result.transaction('payments', 'readwrite').objectStore('payments');
    const spin = () => {
      if (!isFree) store.get('').onsuccess = spin;
    };
    spin();
    await expect(journal.signed(payment)).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
    isFree = true;
    await sleep(ANSWER_MS);
    expect(await journal.pending()).toEqual([]);
    opened.result.close();
  });
});
