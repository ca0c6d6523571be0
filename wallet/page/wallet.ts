import {
  encodeAddress,
  fromHex,
  parseCoins,
  TRANSACTION_FORMATS,
  toHex,
  ZbcSignerError,
} from '@zbc-signer/chain';
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
import { withOneListener } from './events.js';
import { Labels } from './labels.js';
import { t } from './language.js';
import { PageError } from './words.js';

const ACCOUNTS_KEY = 'zbc-wallet accounts';
const CHAIN_KEY = 'zbc-wallet chain';
const WATCHED_KEY = 'zbc-wallet watched';
const MAX_ACCOUNTS = 20;
/** The search for accounts ends after this many in a row that the chain does not know. */
const GAP = 5;
const POLL_MS = 1000;
const MAX_FEE = parseCoins('0.1');

/** One account of the device; holdings are undefined until the gateway has answered. */
export interface WalletAccount {
  index: number;
  address: string;
  publicKey: Uint8Array;
  balance?: Balance | undefined;
  tokens: TokenBalance[];
  /** Why the gateway's last answer about it is missing. */
  error?: unknown;
}

interface LeftOpenReview {
  /** Undefined if another program began it. */
  title: string | undefined;
  isOnScreen: boolean;
}

interface WalletOptions {
  /** The gateway's, which is the page's own origin. */
  url: string;
  /** Stands in for this page's browser, in tests. */
  browser?: Browser | undefined;
  /** Time between two looks at a review that was left open. */
  pollMs?: number | undefined;
}

interface SendOptions {
  /** For the user, such as `Send 1.5 ZBC`. */
  title: string;
  signal?: AbortSignal | undefined;
  onProgress?: ((event: FlowEvent) => void) | undefined;
}

/** All that the page knows, and what it can do; `onChange` is called after every change. */
export class Wallet {
  readonly gateway: GatewayClient;
  readonly browser: Browser;
  readonly activity = new ActivityReader(this);
  readonly devices: WebDevices;
  readonly journal: IndexedDbJournal;
  readonly labels: Labels;
  /** In atomic units. */
  readonly maxFee = MAX_FEE;
  /** Payments of this chain whose outcome is unknown, except those that a tab is sending. */
  unsettled: PendingPayment[] = [];
  /** The outcomes that the last look at unsettled payments found, until the user has seen them. */
  resumed: ResumedPayment[] = [];
  isResuming = false;
  /** The error of the journal's last read. */
  journalError: unknown;
  chain: NodeInfo | undefined;
  /**
   * The first chain that the gateway reported, to this browser or to this page: everything is signed for it, or for
   * none.
   */
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
    this.gateway = new GatewayClient(url, { fetch: withOneListener(browser.fetch, browser.locks) });
    this.devices = new WebDevices({ browser });
    this.journal = new IndexedDbJournal(browser);
    this.labels = new Labels(browser.storage);
    this.accounts = this.#watched();
  }

  get account(): WalletAccount | undefined {
    return this.accounts[this.selected];
  }

  /** The error of the last reads: a success with the chain does not hide a failure with the account. */
  get gatewayError(): unknown {
    return this.chainError ?? this.account?.error;
  }

  /** Whether the gateway now serves another chain than at first. */
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

  /** After a reload the page is for the chain that the gateway serves now. */
  acceptChain(): void {
    if (this.chain !== undefined) this.#store(CHAIN_KEY, toHex(this.chain.genesisHash));
  }

  async findFaucet(): Promise<void> {
    const { fetch } = this.browser;
    this.hasFaucet = await fetch(`${this.gateway.url}/faucet`, { headers: { accept: 'text/html' } }).then(
      ({ ok }) => ok,
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

  /** Reads version and accounts; a review that was left open comes first. */
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
    return this.labels.nameOf(address) ?? (own && t`Account ${own.index}`);
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

  /** Shows the address on the device, to compare; throws UserRejectedError. */
  async compareAddress(signal: AbortSignal): Promise<void> {
    const { index } = this.#selected();
    const review = t`Address of account ${index}`;
    await this.#device().run(device => device.getPublicKey(index, { confirm: true, signal }), { review });
  }

  async signMessage(message: Uint8Array, signal: AbortSignal): Promise<SignedMessage> {
    const { index } = this.#selected();
    const review = t`Sign a message`;
    return this.#device().run(device => device.signMessage(index, message, { signal }), { review });
  }

  /** The library's steps, for the chain and the key that this page shows. */
  async send(draft: Draft, options: SendOptions): Promise<TransactionOutcome> {
    return this.#settle(async step => submitAndConfirm(await this.sign(draft, options), step), options);
  }

  /** Sends the transaction of a document, which another signer may have signed. */
  async submit(signed: SignedTransaction, options: SendOptions): Promise<TransactionOutcome> {
    const [own, its] = [this.genesisHash, signed.genesisHash].map(hash => hash && toHex(hash));
    if (own !== its || this.chainChanged) throw new PageError(t`the transaction is for another chain`);
    await this.#letGo(signed.transactionHash);
    try {
      return await this.#settle(step => submitAndConfirm(signed, step), options);
    } catch (error) {
      // The chain has the transaction, so look up its outcome.
      if (error instanceof ZbcSignerError && error.code === 'DUPLICATE_TRANSACTION') await this.resume();
      throw error;
    }
  }

  /** Has a draft signed on the device; nothing is sent. */
  async sign(draft: Draft, { title, ...options }: SendOptions): Promise<SignedTransaction> {
    const { index, publicKey } = this.#selected();
    const { gateway, journal, maxFee, genesisHash: expectedGenesisHash } = this;
    this.#device();
    const step = { ...options, gateway, journal, maxFee, expectedGenesisHash };
    const prepared = await prepareTransaction(draft, { ...step, publicKey, account: index });
    return this.#sign(prepared, { ...options, title });
  }

  /** Like `sign`, for a document to send later: its recipient is not paid again until its outcome is known. */
  async signForLater(draft: Draft, options: SendOptions): Promise<SignedTransaction> {
    const signed = await this.sign(draft, options);
    await this.journal.keepHeld(signed);
    await this.readJournal();
    return signed;
  }

  /** Removes a transaction signed for later from the journal, so that it can be sent like a new one. */
  async #letGo(transactionHash: Uint8Array): Promise<void> {
    const hash = toHex(transactionHash);
    const isHeld = this.unsettled.some(kept => kept.isHeld && toHex(kept.transactionHash) === hash);
    if (isHeld) await this.journal.ended(transactionHash, 'expired');
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

  /** Reads which payments are not settled. */
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

  /** Looks up unsettled payments, sends their bytes again while the chain may accept them, and waits. */
  async resume(): Promise<void> {
    if (this.isResuming) return;
    this.isResuming = true;
    this.onChange();
    const { gateway, journal } = this;
    try {
      const resumed = await resumePayments(journal, { gateway });
      this.resumed = resumed.filter(({ status }) => status !== 'leftAlone');
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

  /** If the transaction is not signed, its timestamp is free for the next one. */
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

  /** Keeps the accounts: if the device that is plugged in is another one, they are read again. */
  notePlug({ type, kind }: WebDeviceEvent): void {
    if (this.signer?.device.kind !== kind) return;
    if (type === 'connected') return void this.readDevice();
    this.deviceError = new TransportError('DEVICE_DISCONNECTED', t`the signer was unplugged`);
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

  /** The watched accounts; damaged entries are ignored. */
  #watched(): WalletAccount[] {
    const keys = this.#stored(WATCHED_KEY).match(/[0-9a-f]{64}/g) ?? [];
    return keys.slice(0, MAX_ACCOUNTS).map((key, index) => {
      const publicKey = fromHex(key);
      return { index, address: encodeAddress(publicKey), publicKey, tokens: [] };
    });
  }

  #device(): SharedSigner {
    if (this.signer === undefined) throw new PageError(t`connect the signer first`);
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

  /** Empty if nothing is stored or the browser denies access. */
  #stored(key: string): string {
    try {
      return this.browser.storage?.getItem(key) ?? '';
    } catch {
      return '';
    }
  }

  /** If the browser stores nothing, the value is only lost at a reload. */
  #store(key: string, value: string): void {
    try {
      this.browser.storage?.setItem(key, value);
    } catch {}
  }
}

async function readAccount(signer: SharedSigner, index: number): Promise<WalletAccount> {
  const { address, publicKey } = await signer.run(device => device.getPublicKey(index));
  return { index, address, publicKey, tokens: [] };
}
