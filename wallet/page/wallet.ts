import { GatewayClient, SigningRecord } from '@zbc-signer/host';
import {
  type Browser,
  currentBrowser,
  IndexedDbContacts,
  IndexedDbJournal,
  IndexedDbText,
  WebDevices,
} from '@zbc-signer/web';
import type { WalletState } from './state.js';

const POLL_MS = 1000;

interface WalletOptions {
  /** URL of the gateway, which is the page's own origin. */
  url: string;
  /** Stands in for this page's browser, in tests. */
  browser?: Browser | undefined;
  /** Time between two checks whether a review that was left open has ended, in milliseconds. */
  pollMs?: number | undefined;
}

/** What is known, and the services to learn and to keep more; `onChange` is called after every change. */
export class Wallet {
  readonly state: Readonly<WalletState> = {
    hasFaucet: false,
    tokens: [],
    accounts: [],
    contacts: [],
    unprovedContacts: [],
    selected: 0,
    isDiscovering: false,
    unsettled: [],
    resumed: [],
    isResuming: false,
  };
  readonly browser: Browser;
  readonly pollMs: number;
  readonly gateway: GatewayClient;
  readonly devices: WebDevices;
  readonly journal: IndexedDbJournal;
  readonly contacts: IndexedDbContacts;
  /** What devices did before: whether they keep hidden data out of signatures, and what they withheld. */
  readonly signings: SigningRecord;
  onChange: () => void = () => {};

  constructor({ url, browser = currentBrowser(), pollMs = POLL_MS }: WalletOptions) {
    this.browser = browser;
    this.pollMs = pollMs;
    this.gateway = new GatewayClient(url, { fetch: browser.fetch });
    this.devices = new WebDevices({ browser });
    this.journal = new IndexedDbJournal(browser);
    this.contacts = new IndexedDbContacts(browser);
    this.signings = new SigningRecord(new IndexedDbText('signings', browser));
  }

  change(news: Partial<WalletState> = {}): void {
    Object.assign(this.state, news);
    this.onChange();
  }
}
