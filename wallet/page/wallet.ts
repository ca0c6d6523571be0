import { encodeAddress, fromHex, parseCoins, TRANSACTION_FORMATS, toHex, verify } from '@zbc-signer/chain';
import {
  type Balance,
  type ConfirmOptions,
  type Draft,
  type FlowEvent,
  GatewayClient,
  type NodeInfo,
  type PendingPayment,
  type PreparedTransaction,
  prepareTransaction,
  type ResumedPayment,
  resumePayments,
  type SignedMessage,
  type SignedTransaction,
  type SignerVersion,
  type SubmitOptions,
  signTransaction,
  submitAndConfirm,
  type Token,
  type TokenBalance,
  type TransactionOutcome,
  TransportError,
} from '@zbc-signer/host';
import type { SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import {
  type Browser,
  currentBrowser,
  IndexedDbJournal,
  SharedSigner,
  type WebDevice,
  type WebDeviceEvent,
  WebDevices,
} from '@zbc-signer/web';
import { ActivityReader } from './activity-reader.js';
import { Labels } from './labels.js';
import { PageError } from './words.js';

const ACCOUNTS_KEY = 'zbc-wallet accounts';
const CHAIN_KEY = 'zbc-wallet chain';
const WATCHED_KEY = 'zbc-wallet watched';
const MAX_ACCOUNTS = 20;
/** The search for accounts ends after this number of consecutive accounts that the chain does not know. */
const GAP = 5;
const POLL_MS = 1000;
const MAX_FEE = parseCoins('0.1');

/** An account of the device. `balance` is undefined until the gateway has answered. */
export interface WalletAccount {
  index: number;
  address: string;
  publicKey: Uint8Array;
  balance?: Balance | undefined;
  tokens: TokenBalance[];
  /** The error of the last attempt to read the holdings; undefined after a success. */
  error?: unknown;
}

interface LeftOpenReview {
  /** The title of the review; undefined if another program has opened it. */
  title: string | undefined;
  isOnScreen: boolean;
}

interface WalletOptions {
  /** URL of the gateway, which is the page's own origin. */
  url: string;
  /** Stands in for this page's browser, in tests. */
  browser?: Browser | undefined;
  /** Time between two checks whether a review that was left open has ended, in milliseconds. */
  pollMs?: number | undefined;
}

interface SendOptions {
  /** The title that the user sees, such as `Send 1.5 ZBC`. */
  title: string;
  signal?: AbortSignal | undefined;
  onProgress?: ((event: FlowEvent) => void) | undefined;
}

/** The state and the actions of the page; `onChange` is called after every change. */
export class Wallet {
  readonly gateway: GatewayClient;
  readonly browser: Browser;
  readonly activity = new ActivityReader(this);
  readonly devices: WebDevices;
  readonly journal: IndexedDbJournal;
  readonly labels: Labels;
  /** The limit of a fee, in atomic units. */
  readonly maxFee = MAX_FEE;
  /** Payments of this chain whose outcome is unknown, except those that this or another tab is sending. */
  unsettled: PendingPayment[] = [];
  /** The outcomes that the last check of unsettled payments found, until the user has seen them. */
  resumed: ResumedPayment[] = [];
  isResuming = false;
  /** The error of the journal's last read. */
  journalError: unknown;
  chain: NodeInfo | undefined;
  /** The first chain that the gateway reported to this browser. The page signs only for this chain. */
  genesisHash: Uint8Array | undefined;
  chainError: unknown;
  hasFaucet = false;
  tokens: Token[] = [];
  signer: SharedSigner | undefined;
  version: SignerVersion | undefined;
  deviceError: unknown;
  accounts: WalletAccount[] = [];
  selected = 0;
  isDiscovering = false;
  leftOpen: LeftOpenReview | undefined;
  onChange: () => void = () => {};
  readonly #pollMs: number;

  constructor({ url, browser = currentBrowser(), pollMs = POLL_MS }: WalletOptions) {
    this.browser = browser;
    this.#pollMs = pollMs;
    this.gateway = new GatewayClient(url, { fetch: browser.fetch });
    this.devices = new WebDevices({ browser });
    this.journal = new IndexedDbJournal(browser);
    this.labels = new Labels(browser.storage);
    this.accounts = this.#watched();
  }

  get account(): WalletAccount | undefined {
    return this.accounts[this.selected];
  }

  /** The error of the last reads of the chain and of the account, whichever failed. */
  get gatewayError(): unknown {
    return this.chainError ?? this.account?.error;
  }

  /** Whether the gateway now serves a chain other than the first. */
  get chainChanged(): boolean {
    const [first, now] = [this.genesisHash, this.chain?.genesisHash];
    return first !== undefined && now !== undefined && toHex(first) !== toHex(now);
  }

  async readChain(): Promise<void> {
    try {
      this.chain = await this.gateway.nodeInfo();
      if (this.genesisHash === undefined) {
        this.genesisHash = this.#rememberedChain() ?? this.chain.genesisHash;
        this.#store(CHAIN_KEY, toHex(this.genesisHash));
      }
      if (this.tokens.length === 0) this.tokens = await this.gateway.tokens();
      this.chainError = undefined;
    } catch (error) {
      this.chainError = error;
    }
    this.onChange();
  }

  /** Stores the chain that the gateway serves now, so that the page signs for this chain after a reload. */
  acceptChain(): void {
    if (this.chain !== undefined) this.#store(CHAIN_KEY, toHex(this.chain.genesisHash));
  }

  async findFaucet(): Promise<void> {
    const { fetch } = this.browser;
    this.hasFaucet = await fetch(`${this.gateway.url}/faucet`, { headers: { accept: 'text/html' } }).then(
      ({ ok, body }) => {
        // The body is cancelled, because a response without end would hold one of the browser's six
        // connections.
        void body?.cancel();
        return ok;
      },
      () => false,
    );
    this.onChange();
  }

  async connect(device: WebDevice): Promise<void> {
    await this.signer?.close();
    const signer = new SharedSigner(device, this.browser);
    this.signer = signer;
    signer.subscribe(() => this.#changed(signer));
    this.devices.remember(device);
    await this.readDevice();
  }

  /**
   * Reads version and accounts of the device. Before that, waits for the end of a review that was left open.
   */
  async readDevice(): Promise<void> {
    const { signer } = this;
    if (signer === undefined) return;
    try {
      await this.#awaitLeftOpen(signer);
      this.version = await signer.run(device => device.getVersion());
      this.deviceError = undefined;
      await this.#readAccounts(signer);
    } catch (error) {
      if (signer === this.signer) this.deviceError = error;
    }
    this.onChange();
    await this.readHoldings();
    const isFirst = this.deviceError === undefined && this.#stored(ACCOUNTS_KEY) === '';
    if (isFirst) await this.discoverAccounts().catch(() => undefined);
  }

  async disconnect(): Promise<void> {
    const { signer } = this;
    this.signer = undefined;
    this.version = undefined;
    this.deviceError = undefined;
    this.leftOpen = undefined;
    this.accounts = this.#watched();
    this.selected = 0;
    this.devices.forget();
    this.onChange();
    void this.readHoldings();
    await signer?.close();
  }

  select(index: number): void {
    this.selected = index;
    this.onChange();
    void this.readHoldings();
  }

  async addAccount(): Promise<void> {
    const { accounts } = this;
    if (accounts.length >= MAX_ACCOUNTS || this.isDiscovering) return;
    const added = await readAccount(this.#device(), accounts.length);
    this.#keepAccounts([...accounts, added]);
    this.select(added.index);
  }

  /** Adds the accounts of the signer that the chain knows. */
  async discoverAccounts(): Promise<void> {
    if (this.isDiscovering) return;
    const signer = this.#device();
    this.isDiscovering = true;
    this.onChange();
    const found = [...this.accounts];
    try {
      let end = found.length;
      while (found.length < Math.min(end + GAP, MAX_ACCOUNTS)) {
        const account = await readAccount(signer, found.length);
        found.push(account);
        if ((await this.gateway.account(account.address)) !== undefined) end = found.length;
      }
      // Another device may have been connected meanwhile.
      if (signer === this.signer && this.accounts[0] === found[0]) this.#keepAccounts(found.slice(0, end));
    } finally {
      this.isDiscovering = false;
      this.onChange();
    }
  }

  /** Whether the accounts are shown without the signer. */
  get isWatching(): boolean {
    return this.#stored(WATCHED_KEY) !== '';
  }

  watch(isOn: boolean): void {
    const keys = this.accounts.map(({ publicKey }) => toHex(publicKey));
    this.#store(WATCHED_KEY, isOn ? keys.join() : '');
    this.onChange();
  }

  /** The user's name for an address, or the number of an own account without a name. */
  nameOf(address: string): string | undefined {
    const own = this.accounts.find(account => account.address === address);
    return this.labels.nameOf(address) ?? (own && `Account ${own.index}`);
  }

  label(address: string, name: string): void {
    this.labels.set(address, name);
    this.onChange();
  }

  /** The gateway's current fee for a transfer, in atomic units. */
  async readFee(type: typeof SEND_ZBC | typeof TRANSFER_TOKEN): Promise<bigint> {
    const [length = 0] = TRANSACTION_FORMATS[type].bodyLengths;
    return (await this.gateway.estimateFee(type, length)).minimumFee;
  }

  async readHoldings(): Promise<void> {
    const { account } = this;
    if (account === undefined) return;
    try {
      const [balance, tokens] = await Promise.all([
        this.gateway.account(account.address),
        this.gateway.accountTokens(account.address),
      ]);
      account.balance = balance ?? { balance: 0n, spendable: 0n };
      account.tokens = tokens;
      account.error = undefined;
    } catch (error) {
      account.error = error;
    }
    this.onChange();
  }

  /** Shows the address on the device. Throws if the user rejects it, or if the device has another address. */
  async compareAddress(signal: AbortSignal): Promise<void> {
    const { index, publicKey } = this.#selected();
    const review = `Address of account ${index}`;
    const ask = { confirm: true, signal };
    const shown = await this.#device().run(device => device.getPublicKey(index, ask), { review });
    if (toHex(shown.publicKey) !== toHex(publicKey)) throw otherAccountError();
  }

  async signMessage(message: Uint8Array, signal: AbortSignal): Promise<SignedMessage> {
    const { index, publicKey } = this.#selected();
    const review = 'Sign a message';
    const signed = await this.#device().run(device => device.signMessage(index, message, { signal }), {
      review,
    });
    if (!verify(signed.signature, message, publicKey)) throw otherAccountError();
    return signed;
  }

  /** Prepares, signs and sends a payment, for the chain and the account that this page shows. */
  async send(draft: Draft, options: SendOptions): Promise<TransactionOutcome> {
    return this.#settle(async step => submitAndConfirm(await this.sign(draft, options), step), options);
  }

  /** Sends the transaction of a document, which another signer may have signed. */
  async submit(signed: SignedTransaction, options: SendOptions): Promise<TransactionOutcome> {
    const [own, its] = [this.genesisHash, signed.genesisHash].map(hash => hash && toHex(hash));
    if (own !== its || this.chainChanged) throw new PageError('the transaction is for another chain');
    await this.journal.letGo(signed);
    return this.#settle(step => submitAndConfirm(signed, step), options);
  }

  /** Requests the signature of a draft from the device. Nothing is sent. */
  async sign(draft: Draft, { title, ...options }: SendOptions): Promise<SignedTransaction> {
    const { index, publicKey } = this.#selected();
    const { gateway, journal, maxFee, genesisHash: expectedGenesisHash } = this;
    this.#device();
    const step = { ...options, gateway, journal, maxFee, expectedGenesisHash };
    const prepared = await prepareTransaction(draft, { ...step, publicKey, account: index });
    return this.#sign(prepared, { ...options, title });
  }

  /**
   * Like `sign`, for a document to send later. Until its outcome is known, its recipient cannot be paid
   * again.
   */
  async signForLater(draft: Draft, options: SendOptions): Promise<SignedTransaction> {
    const signed = await this.sign(draft, options);
    await this.journal.keepHeld(signed);
    await this.readJournal();
    return signed;
  }

  async #settle(
    work: (step: SubmitOptions & ConfirmOptions) => Promise<TransactionOutcome>,
    { signal, onProgress }: SendOptions,
  ): Promise<TransactionOutcome> {
    const { gateway, journal } = this;
    try {
      return await work({ gateway, journal, signal, onProgress });
    } finally {
      await this.readJournal();
      void this.readHoldings();
    }
  }

  async readJournal(): Promise<void> {
    const genesisHash = this.genesisHash && toHex(this.genesisHash);
    try {
      const pending = await this.journal.pending();
      this.unsettled = pending.filter(
        ({ isInFlight, ...payment }) => isInFlight !== true && toHex(payment.genesisHash) === genesisHash,
      );
      this.journalError = undefined;
    } catch (error) {
      this.journalError = error;
    }
    this.onChange();
  }

  /**
   * Looks up unsettled payments, sends their bytes again while the chain may accept them, and waits for
   * blocks.
   */
  async resume(): Promise<void> {
    if (this.isResuming) return;
    this.isResuming = true;
    this.onChange();
    const { gateway, journal } = this;
    try {
      const resumed = await resumePayments(journal, { gateway });
      const asked = new Set(resumed.map(hashOf));
      const unseen = this.resumed.filter(each => each.status !== 'unknown' && !asked.has(hashOf(each)));
      this.resumed = [...unseen, ...resumed.filter(({ status }) => status !== 'leftAlone')];
    } catch {
      // `gatewayError` and `journalError` report these failures.
    }
    this.isResuming = false;
    await this.readJournal();
  }

  /** Notes that the user has seen the outcome. */
  noteSeen(transactionHash: Uint8Array): void {
    const hash = toHex(transactionHash);
    this.resumed = this.resumed.filter(({ payment }) => toHex(payment.transactionHash) !== hash);
    this.onChange();
  }

  /** Allows the recipient to be paid again, although the payment may have been made. */
  async forget(transactionHash: Uint8Array): Promise<void> {
    await this.journal.ended(transactionHash, 'expired').catch(() => undefined);
    this.noteSeen(transactionHash);
    await this.readJournal();
  }

  /** Requests a signature. If the transaction is not signed, releases its timestamp. */
  async #sign(prepared: PreparedTransaction, { title, ...options }: SendOptions): Promise<SignedTransaction> {
    try {
      return await this.#device().run(signer => signTransaction(prepared, { ...options, signer }), {
        review: title,
      });
    } catch (error) {
      await this.journal.release(prepared).catch(() => undefined);
      throw error;
    }
  }

  #changed(signer: SharedSigner): void {
    if (signer === this.signer) this.onChange();
  }

  async #awaitLeftOpen(signer: SharedSigner): Promise<void> {
    for (;;) {
      const isOnScreen = await signer.isReviewing();
      const title = signer.unfinishedReview?.title;
      if (!isOnScreen && title === undefined) {
        this.leftOpen = undefined;
        return;
      }
      this.leftOpen = { title, isOnScreen };
      this.onChange();
      if (!isOnScreen) return;
      await new Promise(resolve => setTimeout(resolve, this.#pollMs));
      if (signer !== this.signer) return;
    }
  }

  /**
   * Notes that a device was plugged in or removed. Accounts stay visible; they are read from a new device
   * again.
   */
  notePlug({ type, kind }: WebDeviceEvent): void {
    if (this.signer?.device.kind !== kind) return;
    if (type === 'connected') return void this.readDevice();
    this.deviceError = new TransportError('DEVICE_DISCONNECTED', 'the signer was unplugged');
    this.onChange();
  }

  forgetLeftOpen(): void {
    this.signer?.forgetUnfinishedReview();
    this.leftOpen = undefined;
    this.onChange();
  }

  async #readAccounts(signer: SharedSigner): Promise<void> {
    const accounts: WalletAccount[] = [];
    for (let index = 0; index < this.#readCount(); index++) {
      const account = await readAccount(signer, index);
      accounts.push(this.accounts.find(({ address }) => address === account.address) ?? account);
    }
    this.accounts = accounts;
    this.selected = Math.min(this.selected, accounts.length - 1);
  }

  #keepAccounts(accounts: WalletAccount[]): void {
    this.accounts = accounts;
    this.#store(ACCOUNTS_KEY, `${accounts.length}`);
    if (this.isWatching) this.watch(true);
  }

  /** The accounts that are shown without the signer. Damaged entries are ignored. */
  #watched(): WalletAccount[] {
    const keys = this.#stored(WATCHED_KEY).match(/[0-9a-f]{64}/g) ?? [];
    return keys.slice(0, MAX_ACCOUNTS).map((key, index) => {
      const publicKey = fromHex(key);
      return { index, address: encodeAddress(publicKey), publicKey, tokens: [] };
    });
  }

  #device(): SharedSigner {
    if (this.signer === undefined) throw new PageError('connect the signer first');
    return this.signer;
  }

  #selected(): WalletAccount {
    if (this.account === undefined) throw new Error('no account is open');
    return this.account;
  }

  #readCount(): number {
    const count = Number(this.#stored(ACCOUNTS_KEY));
    return Number.isInteger(count) && count >= 1 && count <= MAX_ACCOUNTS ? count : 1;
  }

  #rememberedChain(): Uint8Array | undefined {
    const hash = this.#stored(CHAIN_KEY);
    return /^[0-9a-f]{64}$/.test(hash) ? fromHex(hash) : undefined;
  }

  /** The stored value; empty if nothing is stored or the browser denies access. */
  #stored(key: string): string {
    try {
      return this.browser.storage?.getItem(key) ?? '';
    } catch {
      return '';
    }
  }

  /** Stores a value. If the browser denies access, the value is lost at a reload. */
  #store(key: string, value: string): void {
    try {
      this.browser.storage?.setItem(key, value);
    } catch {}
  }
}

const hashOf = ({ payment }: ResumedPayment): string => toHex(payment.transactionHash);

/** Since the page read the accounts, another signer was connected, or the seed of the signer has changed. */
function otherAccountError(): PageError {
  return new PageError('the signer has another account than this page shows: connect it again');
}

async function readAccount(signer: SharedSigner, index: number): Promise<WalletAccount> {
  const { address, publicKey } = await signer.run(device => device.getPublicKey(index));
  return { index, address, publicKey, tokens: [] };
}
