import { join } from 'node:path';
import { type Account, type Escrow, MAX_I64, parseCoins, parseUnits, toHex } from '@zbc-signer/chain';
import {
  type CheckedNonce,
  type Draft,
  type FlowLimits,
  type PendingPayment,
  sendTransaction,
  type Token,
  type TokenDraft,
  type TransactionOutcome,
  type TransactionSigner,
  unknownTokenError,
} from '@zbc-signer/host';
import { FileJournal } from '@zbc-signer/host/node';
import { MAX_INSTRUCTION, MAX_MESSAGE } from '@zbc-signer/protocol/limits';
import { TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { withSigner } from '../connection/device.js';
import { createReader, openGateway, retryRead } from '../connection/gateway.js';
import { earlierPaymentsError, inOption, UsageError } from '../errors/errors.js';
import { maxFeeSetting, stateDirectory } from '../input/config.js';
import {
  parseAccountIndex,
  parseDurationMs,
  parseHash,
  parseText,
  parseTime,
  parseTokenId,
} from '../input/values.js';
import { reportProgress } from '../output/progress.js';
import { formatTable } from '../output/table.js';
import type { Outcome, Terminal } from '../output/terminal.js';
import type { Given } from '../parser/command.js';
import type {
  DEVICE_OPTIONS,
  ESCROW_OPTIONS,
  FEE_IN_TOKEN_OPTIONS,
  GATEWAY_OPTIONS,
  SENDING_OPTIONS,
  SIGNING_OPTIONS,
} from '../parser/options.js';
import { contactsOf, type FindContacts, parseAccountOrName } from './contacts.js';
import { transactionJson } from './fields.js';
import { parseSigning } from './signing.js';

export type SendingOptions = Given<
  typeof SENDING_OPTIONS & typeof FEE_IN_TOKEN_OPTIONS & typeof DEVICE_OPTIONS & typeof GATEWAY_OPTIONS
> &
  Partial<Given<typeof SIGNING_OPTIONS>>;

export type EscrowOptions = Given<typeof ESCROW_OPTIONS>;

/**
 * Sends a draft after its approval on the device. `makeDraft` makes it of the options, which may name contacts.
 */
export async function sendFromDevice(
  makeDraft: (findContacts: FindContacts) => Promise<Draft> | Draft,
  options: SendingOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const account = parseAccountIndex(options.account);
  return withSigner(options.device, async signer => {
    const findContacts = contactsOf(signer, options, terminal);
    const draft = await makeDraft(findContacts);
    return runFlow(draft, { signer, account, asksDevice: true, findContacts }, options, terminal);
  });
}

interface Signing {
  signer: TransactionSigner;
  account: number;
  asksDevice: boolean;
  findContacts: FindContacts;
}

export async function runFlow(
  draft: Draft,
  { signer, account, asksDevice, findContacts }: Signing,
  options: SendingOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const journal = openJournal();
  await reportPending(journal, terminal);
  const report = reportProgress(terminal, asksDevice, options.noWait !== true);
  const signing = parseSigning(options);
  let check: CheckedNonce | undefined;
  const result = await sendTransaction(draft, {
    gateway: openGateway(options),
    signer,
    account,
    journal,
    contacts: await findContacts(),
    ...parseLimits(options),
    ...signing,
    // A key in this program's memory has no nonce that a device could choose.
    ...(!asksDevice && signing.antiExfil === 'prefer' && { antiExfil: 'off' as const }),
    allowsZeroAmount: options.allowZero === true,
    paysAgain: options.payAgain === true,
    waitsForConfirmation: options.noWait !== true,
    ...(options.timeout !== undefined && {
      confirmationTimeoutMs: parseDurationMs('--timeout', options.timeout),
    }),
    signal: terminal.signal,
    onProgress: event => {
      if (event.step === 'signed') check = event.antiExfil;
      report(event);
    },
  });
  return viewResult(result, check);
}

/** The result of a payment as JSON and text; `check` is that of a signature for hidden data. */
export function viewResult(result: TransactionOutcome, check?: CheckedNonce): Outcome {
  const { transaction, signature, transactionHash, transactionId, genesisHash, status, blockHeight } = result;
  return {
    json: {
      transaction_hash: transactionHash,
      transaction_id: `${transactionId}`,
      status,
      ...(blockHeight !== undefined && { block_height: blockHeight }),
      duplicate: result.duplicate,
      signature,
      ...(check && { anti_exfil: { withheld: check.withheld } }),
      ...transactionJson(transaction),
      genesis_hash: genesisHash,
    },
    text: formatTable([
      ['Transaction hash', toHex(transactionHash)],
      ['Transaction id', `${transactionId}`],
      ['Status', status],
      ...(blockHeight === undefined ? [] : [['Block', `${blockHeight}`] as const]),
    ]),
    lastWords: `Transaction ${toHex(transactionHash)}: ${status}`,
  };
}

export function parseCoinsOption(option: string, text: string): bigint {
  return inOption(option, () => parseCoins(text));
}

/** Parses the limits that a transaction must respect, even if another program has built it. */
export function parseLimits({ maxFee, genesis, allowFeeInToken }: SendingOptions): FlowLimits {
  const setting = maxFeeSetting(maxFee);
  return {
    ...(setting !== undefined && { maxFee: parseCoinsOption(setting.source, setting.value) }),
    ...(genesis !== undefined && { expectedGenesisHash: parseHash('--genesis', genesis) }),
    allowsFeeInToken: allowFeeInToken === true,
  };
}

/** Parses the options that every draft has. */
export function parseDraftBase({ fee, message }: SendingOptions) {
  return {
    ...(fee !== undefined && { fee: parseCoinsOption('--fee', fee) }),
    ...(message !== undefined && { message: parseText('--message', message, MAX_MESSAGE) }),
  };
}

export async function parseRecipient(to: string | undefined, findContacts: FindContacts): Promise<Account> {
  if (to === undefined)
    throw new UsageError('--to is missing: a ZBC_ address, an account in hex or the name of a contact');
  return parseAccountOrName('--to', to, findContacts);
}

/** Returns undefined without escrow options; throws UsageError if the approver or the timeout is missing. */
export async function parseEscrow(
  options: EscrowOptions,
  findContacts: FindContacts,
  nowMs = Date.now(),
): Promise<Escrow | undefined> {
  const { escrowApprover, escrowTimeout, escrowCommission, escrowInstruction, escrowMultiParty } = options;
  const others = [escrowTimeout, escrowCommission, escrowInstruction, escrowMultiParty];
  if (escrowApprover === undefined && others.every(option => option === undefined)) return undefined;
  if (escrowApprover === undefined || escrowTimeout === undefined) {
    throw new UsageError('an escrow needs both --escrow-approver and --escrow-timeout');
  }
  return {
    approver: await parseAccountOrName('--escrow-approver', escrowApprover, findContacts),
    commission: parseCoinsOption('--escrow-commission', escrowCommission ?? '0'),
    timeout: parseTime('--escrow-timeout', escrowTimeout, nowMs),
    instruction: parseText('--escrow-instruction', escrowInstruction ?? '', MAX_INSTRUCTION),
    multiParty: escrowMultiParty === true,
  };
}

/** Opens the journal of this user's payments. */
export function openJournal(): FileJournal {
  return new FileJournal(join(stateDirectory(), 'payments'));
}

/**
 * Returns the payments in a journal. If the journal is unreadable, throws an error about earlier payments and
 * not about a payment of this command.
 */
export async function readPending(journal: FileJournal): Promise<readonly PendingPayment[]> {
  try {
    return await journal.pending();
  } catch (error) {
    throw earlierPaymentsError(journal.directory, error);
  }
}

/** Reports earlier unsettled payments. Ignores an unreadable journal, because it fails the payment later. */
async function reportPending(journal: FileJournal, terminal: Terminal): Promise<void> {
  const pending = await journal.pending().catch(() => []);
  const count = pending.filter(({ isInFlight }) => isInFlight !== true).length;
  if (count === 0) return;
  const subject = count === 1 ? 'One earlier payment is' : `${count} earlier payments are`;
  terminal.report(`${subject} not settled: see \`zbc-signer payments list\``);
}

interface TokenOptions extends SendingOptions, EscrowOptions {
  token: string;
  to?: string | undefined;
  amount: string;
}

/** Builds a draft. Requests the decimals of the token, which are needed to parse the amount. */
export async function readTokenDraft(
  options: TokenOptions,
  terminal: Terminal,
  findContacts: FindContacts,
): Promise<TokenDraft> {
  const tokenId = parseTokenId(options.token);
  const recipient = await parseRecipient(options.to, findContacts);
  const { decimals } = await readToken(options, terminal, tokenId);
  return {
    type: TRANSFER_TOKEN,
    tokenId,
    recipient,
    amount: inOption('--amount', () => parseUnits(options.amount, decimals, MAX_I64)),
    decimals,
    feeInToken: options.feeInToken === undefined ? undefined : options.feeInToken === 'yes',
    escrow: await parseEscrow(options, findContacts),
    ...parseDraftBase(options),
  };
}

async function readToken(
  options: { api?: string | undefined },
  terminal: Terminal,
  id: bigint,
): Promise<Token> {
  const gateway = openGateway(options);
  const token = await retryRead(createReader(terminal), request => gateway.token(id, request));
  if (token?.id !== id) throw unknownTokenError(id);
  return token;
}
