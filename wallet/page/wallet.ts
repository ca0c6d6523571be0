import { toHex, ZbcSignerError } from '@zbc-signer/chain';
import {
  type Balance,
  type CallOptions,
  type Draft,
  type FlowEvent,
  type FlowResult,
  GatewayClient,
  type NodeInfo,
  type SignedMessage,
  type SignerVersion,
  sendTransaction,
  type Token,
  type TokenBalance,
  type TransactionSigner,
  TransportError,
} from '@zbc-signer/host';
import { SharedSigner, type WebDevice, WebDevices } from '@zbc-signer/web';
import { makeEntry, Outbox, readEntry, type SignedEntry } from './outbox.js';

const ACCOUNTS_KEY = 'zbc-wallet accounts';
const MAX_ACCOUNTS = 20;
const ACCEPTED_STAGES = ['staging', 'mempool', 'confirmed'];

/** One account of the device; holdings are undefined until the gateway has answered. */
export interface WalletAccount {
  index: number;
  address: string;
  publicKey: Uint8Array;
  balance?: Balance | undefined;
  tokens: TokenBalance[];
}

interface LeftOpenReview {
  /** Undefined if another program began it. */
  title: string | undefined;
  isOnScreen: boolean;
}

/** All that the page knows, and what it can do; `onChange` is called after every change. */
export class Wallet {
  readonly gateway = new GatewayClient(location.origin);
  readonly devices = new WebDevices();
  readonly outbox = new Outbox();
  chain: NodeInfo | undefined;
  /** The first chain that the gateway reported: everything is signed for it, or for none. */
  genesisHash: Uint8Array | undefined;
  gatewayError: unknown;
  hasFaucet = false;
  tokens: Token[] = [];
  signer: SharedSigner | undefined;
  version: SignerVersion | undefined;
  deviceError: unknown;
  accounts: WalletAccount[] = [];
  selected = 0;
  leftOpen: LeftOpenReview | undefined;
  onChange: () => void = () => {};

  get account(): WalletAccount | undefined {
    return this.accounts[this.selected];
  }

  /** Whether the gateway now serves another chain than at first. */
  get chainChanged(): boolean {
    const [first, now] = [this.genesisHash, this.chain?.genesisHash];
    return first !== undefined && now !== undefined && toHex(first) !== toHex(now);
  }

  async readChain(): Promise<void> {
    try {
      this.chain = await this.gateway.nodeInfo();
      this.genesisHash ??= this.chain.genesisHash;
      if (this.tokens.length === 0) this.tokens = await this.gateway.tokens();
      this.gatewayError = undefined;
    } catch (error) {
      this.gatewayError = error;
    }
    this.onChange();
  }

  async findFaucet(): Promise<void> {
    this.hasFaucet = await fetch('/faucet', { headers: { accept: 'text/html' } }).then(
      ({ ok }) => ok,
      () => false,
    );
    this.onChange();
  }

  async connect(device: WebDevice): Promise<void> {
    await this.signer?.close();
    const signer = new SharedSigner(device);
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
  }

  async disconnect(): Promise<void> {
    const { signer } = this;
    this.signer = undefined;
    this.version = undefined;
    this.deviceError = undefined;
    this.leftOpen = undefined;
    this.accounts = [];
    this.selected = 0;
    this.devices.forget();
    this.onChange();
    await signer?.close();
  }

  select(index: number): void {
    this.selected = index;
    this.onChange();
    void this.readHoldings();
  }

  async addAccount(): Promise<void> {
    if (this.signer === undefined || this.accounts.length >= MAX_ACCOUNTS) return;
    const index = this.accounts.length;
    const { address, publicKey } = await this.signer.run(device => device.getPublicKey(index));
    this.accounts.push({ index, address, publicKey, tokens: [] });
    writeCount(this.accounts.length);
    this.select(index);
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
      this.gatewayError = undefined;
    } catch (error) {
      this.gatewayError = error;
    }
    this.onChange();
  }

  /** Shows the address on the device, to compare; throws UserRejectedError. */
  async compareAddress(signal: AbortSignal): Promise<void> {
    const { index } = this.#selected();
    const review = `Address of account ${index}`;
    await this.#device().run(device => device.getPublicKey(index, { confirm: true, signal }), { review });
  }

  async signMessage(message: Uint8Array, signal: AbortSignal): Promise<SignedMessage> {
    const { index } = this.#selected();
    const review = 'Sign a message';
    return this.#device().run(device => device.signMessage(index, message, { signal }), { review });
  }

  /** The library's whole sequence, for the chain and the key that this page shows. */
  async send(
    draft: Draft,
    {
      title,
      signal,
      onProgress,
    }: { title: string; signal: AbortSignal; onProgress: (event: FlowEvent) => void },
  ): Promise<FlowResult> {
    const { index, publicKey } = this.#selected();
    try {
      const result = await sendTransaction(draft, {
        gateway: this.gateway,
        signer: this.#keeping(title),
        account: index,
        expectedPublicKey: publicKey,
        ...(this.genesisHash !== undefined && { expectedGenesisHash: this.genesisHash }),
        signal,
        onProgress,
      });
      this.outbox.remove(result.transactionHash);
      return result;
    } catch (error) {
      this.#settle(error);
      throw error;
    } finally {
      this.onChange();
      void this.readHoldings();
    }
  }

  /** Sends a kept transaction if the chain does not have it; returns its stage. */
  async resume(entry: SignedEntry): Promise<string> {
    const { transaction, signature } = readEntry(entry);
    const known = await this.gateway.transactionStatus(entry.hash);
    if (known === undefined) {
      const { transactionHash } = await this.gateway.broadcast(transaction, signature);
      if (transactionHash !== entry.hash) throw new Error(`the gateway reports the hash ${transactionHash}`);
    }
    const stage = (known ?? (await this.gateway.transactionStatus(entry.hash)))?.stage ?? 'submitted';
    if (ACCEPTED_STAGES.includes(stage)) this.outbox.remove(entry.hash);
    this.onChange();
    return stage;
  }

  /** The signed transactions of this chain that are not known to be on it. */
  unsent(): SignedEntry[] {
    const genesisHash = this.genesisHash && toHex(this.genesisHash);
    return this.outbox
      .list()
      .filter(entry => entry.genesisHash === genesisHash && !this.#sending.has(entry.hash));
  }

  /** The hashes whose sending goes on now. */
  readonly #sending = new Set<string>();

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
      await new Promise(resolve => setTimeout(resolve, 1000));
      if (signer !== this.signer) return;
    }
  }

  /** The accounts stay: they are those of the device that comes back, or are read again. */
  noteUnplugged(): void {
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
    for (let index = 0; index < readCount(); index++) {
      const { address, publicKey } = await signer.run(device => device.getPublicKey(index));
      const known = this.accounts.find(account => account.address === address);
      accounts.push(known ?? { index, address, publicKey, tokens: [] });
    }
    this.accounts = accounts;
    this.selected = Math.min(this.selected, accounts.length - 1);
  }

  /** Keeps each signature before the chain is asked anything else. */
  #keeping(title: string): TransactionSigner {
    const signer = this.#device();
    return {
      getPublicKey: (index, options) => signer.run(device => device.getPublicKey(index, options)),
      signTransaction: async (request, options?: CallOptions) => {
        const signed = await signer.run(
          async device => {
            const result = await device.signTransaction(request, options);
            const entry = makeEntry(request, result, title);
            this.#sending.add(entry.hash);
            this.outbox.add(entry);
            return result;
          },
          { review: title },
        );
        return signed;
      },
    };
  }

  /** What is certainly not on the chain, or certainly is, needs no keeping. */
  #settle(error: unknown): void {
    const { transactionHash, sent } = error instanceof ZbcSignerError ? error.facts : {};
    if (typeof transactionHash !== 'string') return;
    this.#sending.delete(transactionHash);
    const isRefused = error instanceof ZbcSignerError && REFUSALS.includes(error.code);
    if (isRefused && sent === 'no') this.outbox.remove(transactionHash);
  }

  #device(): SharedSigner {
    if (this.signer === undefined) throw new Error('no signer is connected');
    return this.signer;
  }

  #selected(): WalletAccount {
    if (this.account === undefined) throw new Error('no account is open');
    return this.account;
  }
}

/** A node's final answers: sending the same bytes again gives the same. */
const REFUSALS = ['BROADCAST_REFUSED', 'SIGNATURE_REFUSED', 'DUPLICATE_TRANSACTION'];

function readCount(): number {
  try {
    const count = Number(localStorage.getItem(ACCOUNTS_KEY));
    return Number.isInteger(count) && count >= 1 && count <= MAX_ACCOUNTS ? count : 1;
  } catch {
    return 1;
  }
}

function writeCount(count: number): void {
  try {
    localStorage.setItem(ACCOUNTS_KEY, `${count}`);
  } catch {}
}
