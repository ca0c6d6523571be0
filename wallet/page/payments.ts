import { parseCoins, toHex } from '@zbc-signer/chain';
import {
  type ConfirmOptions,
  type Draft,
  type FlowEvent,
  prepareTransaction,
  type ResumedPayment,
  resumePayments,
  type SignedTransaction,
  type SubmitOptions,
  signTransaction,
  submitAndConfirm,
  type TransactionOutcome,
} from '@zbc-signer/host';
import { readHoldings } from './accounts.js';
import { paidContacts } from './contacts.js';
import { isChainChanged, openAccount, openSigner } from './state.js';
import type { Wallet } from './wallet.js';
import { PageError } from './words.js';

/** The limit of a fee, in atomic units. */
export const MAX_FEE = parseCoins('0.1');

export interface SendOptions {
  /** The title that the user sees, such as `Send 1.5 ZBC`. */
  title: string;
  signal?: AbortSignal | undefined;
  onProgress?: ((event: FlowEvent) => void) | undefined;
}

/** Prepares, signs and sends a payment, for the chain and the account that this page shows. */
export async function send(wallet: Wallet, draft: Draft, options: SendOptions): Promise<TransactionOutcome> {
  return settle(wallet, options, async step => submitAndConfirm(await sign(wallet, draft, options), step));
}

/** Sends the transaction of a document, which another signer may have signed. */
export async function submit(
  wallet: Wallet,
  signed: SignedTransaction,
  options: SendOptions,
): Promise<TransactionOutcome> {
  const [own, its] = [wallet.state.genesisHash, signed.genesisHash].map(hash => hash && toHex(hash));
  if (own !== its || isChainChanged(wallet.state))
    throw new PageError('the transaction is for another chain');
  await wallet.journal.letGo(signed);
  return settle(wallet, options, step => submitAndConfirm(signed, step));
}

/**
 * Requests the signature of a draft from the device. Nothing is sent. If the transaction is not signed,
 * releases its timestamp.
 */
async function sign(
  wallet: Wallet,
  draft: Draft,
  { title, ...options }: SendOptions,
): Promise<SignedTransaction> {
  const { gateway, journal, state } = wallet;
  const { index, publicKey } = openAccount(state);
  openSigner(state);
  const expectedGenesisHash = state.genesisHash;
  const step = { ...options, gateway, journal, maxFee: MAX_FEE, expectedGenesisHash };
  const contacts = paidContacts(wallet);
  const prepared = await prepareTransaction(draft, { ...step, publicKey, account: index, contacts });
  try {
    const signing = { ...options, record: wallet.signings };
    return await openSigner(state).run(signer => signTransaction(prepared, { ...signing, signer }), {
      review: title,
    });
  } catch (error) {
    await journal.release(prepared).catch(() => undefined);
    throw error;
  }
}

/** Like `sign`, for a document to send later. Until its outcome is known, its recipient cannot be paid again. */
export async function signForLater(
  wallet: Wallet,
  draft: Draft,
  options: SendOptions,
): Promise<SignedTransaction> {
  const signed = await sign(wallet, draft, options);
  await wallet.journal.keepHeld(signed);
  await readJournal(wallet);
  return signed;
}

async function settle(
  wallet: Wallet,
  { signal, onProgress }: SendOptions,
  work: (step: SubmitOptions & ConfirmOptions) => Promise<TransactionOutcome>,
): Promise<TransactionOutcome> {
  const { gateway, journal } = wallet;
  try {
    return await work({ gateway, journal, signal, onProgress });
  } finally {
    await readJournal(wallet);
    void readHoldings(wallet);
  }
}

export async function readJournal(wallet: Wallet): Promise<void> {
  const genesisHash = wallet.state.genesisHash && toHex(wallet.state.genesisHash);
  try {
    const pending = await wallet.journal.pending();
    const unsettled = pending.filter(
      ({ isInFlight, ...payment }) => isInFlight !== true && toHex(payment.genesisHash) === genesisHash,
    );
    wallet.change({ unsettled, journalError: undefined });
  } catch (journalError) {
    wallet.change({ journalError });
  }
}

/** Looks up unsettled payments, sends their bytes again while the chain may accept them, and waits for blocks. */
export async function resume(wallet: Wallet): Promise<void> {
  const { state, gateway, journal } = wallet;
  if (state.isResuming) return;
  wallet.change({ isResuming: true });
  try {
    const resumed = await resumePayments(journal, { gateway });
    const asked = new Set(resumed.map(hashOf));
    const unseen = state.resumed.filter(each => each.status !== 'unknown' && !asked.has(hashOf(each)));
    wallet.change({ resumed: [...unseen, ...resumed.filter(({ status }) => status !== 'leftAlone')] });
  } catch {
    // `gatewayError` and `journalError` report these failures.
  }
  wallet.change({ isResuming: false });
  await readJournal(wallet);
}

/** Notes that the user has seen the outcome. */
export function noteSeen(wallet: Wallet, transactionHash: Uint8Array): void {
  const hash = toHex(transactionHash);
  wallet.change({ resumed: wallet.state.resumed.filter(each => hashOf(each) !== hash) });
}

/** Allows the recipient to be paid again, although the payment may have been made. */
export async function forget(wallet: Wallet, transactionHash: Uint8Array): Promise<void> {
  await wallet.journal.ended(transactionHash, 'expired').catch(() => undefined);
  noteSeen(wallet, transactionHash);
  await readJournal(wallet);
}

const hashOf = ({ payment }: ResumedPayment): string => toHex(payment.transactionHash);
