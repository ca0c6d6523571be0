import type { Emulator } from '@zbc-signer/emulator';
import type { Browser, BrowserChannel, BrowserHid, BrowserLocks, HidDevice } from '@zbc-signer/web';
import { IDBFactory } from 'fake-indexeddb';
import type { ModelChain } from '../chain/model-chain.js';

type Listener<Event> = (event: Event) => void;

const never = () => new Promise<never>(() => undefined);
const turn = () => new Promise<void>(resolve => setImmediate(resolve));

/** One profile of a browser: tabs of one origin, with a signer on USB that is plugged in or not. */
export class ModelBrowser {
  readonly stored = new Map<string, string>();
  readonly tabs = new Set<ModelTab>();
  readonly locks = new ModelLocks();
  readonly database = new IDBFactory();
  plugged = true;

  constructor(
    readonly emulator: Emulator,
    readonly chain: ModelChain,
    /** Number of event loop turns until an answer. */
    readonly latency: () => number,
  ) {}

  openTab(): ModelTab {
    const tab = new ModelTab(this);
    this.tabs.add(tab);
    return tab;
  }

  unplug(): void {
    if (!this.plugged) return;
    this.plugged = false;
    this.emulator.disconnectReports();
    for (const tab of this.tabs) tab.notePlug('disconnect');
  }

  plug(): void {
    if (this.plugged) return;
    this.plugged = true;
    for (const tab of this.tabs) tab.notePlug('connect');
  }

  /** Delivers a report to every page that has the device open. */
  deliver(report: Uint8Array): void {
    for (const tab of this.tabs) tab.read(report);
  }
}

/** A page. After it is closed, nothing that it awaits resolves, and its locks are released. */
export class ModelTab {
  isGone = false;
  readonly #channels: ModelChannel[] = [];
  readonly #plugListeners = { connect: new Set<Listener<never>>(), disconnect: new Set<Listener<never>>() };
  #device = new ModelDevice(this);

  constructor(readonly profile: ModelBrowser) {}

  close(): void {
    this.isGone = true;
    this.profile.tabs.delete(this);
    this.profile.locks.releaseAll(this);
  }

  get browser(): Browser {
    const { stored, locks } = this.profile;
    return {
      hid: this.#hid(),
      locks: locks.of(this),
      storage: {
        get length() {
          return stored.size;
        },
        key: index => [...stored.keys()][index] ?? null,
        getItem: key => stored.get(key) ?? null,
        setItem: (key, value) => void (this.isGone || stored.set(key, value)),
        removeItem: key => void (this.isGone || stored.delete(key)),
      },
      indexedDB: this.#indexedDB(),
      openChannel: name => this.#openChannel(name),
      fetch: (url, init) => this.#fetch(`${url}`, init?.body as string | undefined),
    };
  }

  notePlug(type: 'connect' | 'disconnect'): void {
    const device = this.#device;
    if (type === 'disconnect') {
      device.opened = false;
      this.#device = new ModelDevice(this);
    }
    for (const listener of this.#plugListeners[type]) listener({ device } as never);
  }

  read(report: Uint8Array): void {
    if (this.#device.opened) this.#device.read(report);
  }

  hear(channel: ModelChannel, message: unknown): void {
    if (this.isGone) return;
    for (const other of this.#channels) if (other.name === channel.name) other.receive(message);
  }

  /** A closed page opens no database. If it has begun a transaction, this may or may not take effect. */
  #indexedDB(): object {
    const open = (name: string, version: number) => {
      if (this.isGone) throw new Error('the page is gone');
      return this.profile.database.open(name, version);
    };
    return { open };
  }

  #hid(): BrowserHid {
    return {
      getDevices: async () => (this.profile.plugged ? [this.#device] : []),
      requestDevice: async () => (this.profile.plugged ? [this.#device] : []),
      addEventListener: (type, listener) => void this.#plugListeners[type].add(listener as Listener<never>),
      removeEventListener: (type, listener) =>
        void this.#plugListeners[type].delete(listener as Listener<never>),
    };
  }

  #openChannel(name: string): BrowserChannel {
    const channel = new ModelChannel(name, message => {
      if (this.isGone) return;
      for (const tab of this.profile.tabs) if (tab !== this) setImmediate(() => tab.hear(channel, message));
    });
    this.#channels.push(channel);
    return channel;
  }

  /** A request may or may not arrive if its page closes meanwhile. */
  async #fetch(url: string, body: string | undefined): Promise<Response> {
    const { chain, latency } = this.profile;
    for (let turns = latency(); turns > 0; turns -= 1) await turn();
    if (this.isGone && latency() > 1) return never();
    const answer = chain.answer(url.replace(/^http:\/\/[^/]+/, ''), body);
    for (let turns = latency(); turns > 0; turns -= 1) await turn();
    return this.isGone ? never() : answer;
  }
}

class ModelChannel implements BrowserChannel {
  readonly #listeners: Listener<{ data: unknown }>[] = [];

  constructor(
    readonly name: string,
    readonly postMessage: (message: unknown) => void,
  ) {}

  receive(data: unknown): void {
    for (const listener of this.#listeners) listener({ data });
  }

  addEventListener(_type: 'message', listener: Listener<{ data: unknown }>): void {
    this.#listeners.push(listener);
  }

  close(): void {
    this.#listeners.length = 0;
  }
}

class ModelDevice implements HidDevice {
  opened = false;
  readonly vendorId = 0x1209;
  readonly productId = 0x0001;
  readonly collections = [{ usagePage: 0xffa0 }];
  readonly #listeners = new Set<Listener<{ data: DataView }>>();

  constructor(private readonly tab: ModelTab) {}

  async open(): Promise<void> {
    await this.#reach();
    this.opened = true;
  }

  async close(): Promise<void> {
    this.opened = false;
  }

  async sendReport(_id: number, data: Uint8Array): Promise<void> {
    await this.#reach();
    if (!this.opened) throw new Error('not open');
    const { profile } = this.tab;
    profile.emulator.report(data, report => setImmediate(() => profile.deliver(report)));
  }

  read(report: Uint8Array): void {
    const data = new DataView(Uint8Array.from(report).buffer);
    for (const listener of this.#listeners) listener({ data });
  }

  addEventListener(_type: 'inputreport', listener: Listener<{ data: DataView }>): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'inputreport', listener: Listener<{ data: DataView }>): void {
    this.#listeners.delete(listener);
  }

  async #reach(): Promise<void> {
    await turn();
    if (this.tab.isGone) return never();
    if (!this.tab.profile.plugged) throw new Error('unplugged');
  }
}

interface Held {
  tab: ModelTab;
  lose(error: Error): void;
}

interface Waiting {
  tab: ModelTab;
  grant(): void;
}

/** The used part of Web Locks, first come, first served: `ifAvailable`, `steal` and `signal`. */
class ModelLocks {
  readonly #held = new Map<string, Held>();
  readonly #waiting = new Map<string, Waiting[]>();
  /** The most tabs that had one lock at a time. */
  mostHolders = 0;

  of(tab: ModelTab): BrowserLocks {
    return {
      query: async () => ({ held: [...this.#held.keys()].map(name => ({ name })) }),
      request: (name, { ifAvailable, steal, signal }, callback) =>
        new Promise((resolve, reject) => {
          if (tab.isGone) return;
          const grant = () => {
            const held: Held = { tab, lose: reject };
            this.#held.set(name, held);
            this.mostHolders = Math.max(this.mostHolders, 1);
            void callback({})
              .then(resolve, reject)
              .finally(() => this.#free(name, held));
          };
          const current = this.#held.get(name);
          if (current === undefined) return grant();
          if (ifAvailable === true) return void callback(null).then(resolve, reject);
          if (steal === true) {
            current.lose(new DOMException('stolen', 'AbortError'));
            return grant();
          }
          const waiting = this.#waiting.get(name) ?? [];
          const own = { tab, grant };
          this.#waiting.set(name, [...waiting, own]);
          signal?.addEventListener('abort', () => {
            const others = this.#waiting.get(name)?.filter(other => other !== own) ?? [];
            if (others.length === this.#waiting.get(name)?.length) return;
            this.#waiting.set(name, others);
            reject(signal.reason);
          });
        }),
    };
  }

  releaseAll(tab: ModelTab): void {
    for (const [name, waiting] of this.#waiting) {
      this.#waiting.set(
        name,
        waiting.filter(other => other.tab !== tab),
      );
    }
    for (const [name, held] of this.#held) if (held.tab === tab) this.#free(name, held);
  }

  #free(name: string, held: Held): void {
    if (this.#held.get(name) !== held) return;
    this.#held.delete(name);
    const [next, ...others] = this.#waiting.get(name) ?? [];
    this.#waiting.set(name, others);
    next?.grant();
  }
}
