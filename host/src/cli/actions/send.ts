import { parseCoins } from '../../../../chain/src/index.js';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '../../../../protocol/transaction-types.js';
import { UsageError } from '../errors.js';
import {
  type EscrowOptions,
  parseDraftBase,
  parseEscrow,
  parseRecipient,
  type SendingOptions,
  sendFromDevice,
} from '../sending.js';
import type { Outcome, Terminal } from '../terminal.js';
import { parseHash, parseTokenId } from '../values.js';

interface CoinOptions extends SendingOptions, EscrowOptions {
  to?: string | undefined;
  amount?: string | undefined;
}

interface TokenOptions extends SendingOptions, EscrowOptions {
  token: string;
  to: string;
  amount: string;
  feeInToken?: 'yes' | 'no' | undefined;
}

interface DecisionOptions extends SendingOptions {
  decision: 'approve' | 'reject';
  hash: string;
}

export async function sendCoins(options: CoinOptions, terminal: Terminal): Promise<Outcome> {
  const recipient = parseRecipient(options.to);
  if (options.amount === undefined) {
    throw new UsageError('--amount is missing: the coins to send, such as 1.5');
  }
  const amount = parseCoins(options.amount);
  const escrow = parseEscrow(options);
  const draft = { type: SEND_ZBC, recipient, amount, escrow, ...parseDraftBase(options) } as const;
  return sendFromDevice(draft, options, terminal);
}

export async function sendTokens(options: TokenOptions, terminal: Terminal): Promise<Outcome> {
  const tokenId = parseTokenId(options.token);
  const recipient = parseRecipient(options.to);
  const feeInToken = options.feeInToken === undefined ? undefined : options.feeInToken === 'yes';
  const escrow = parseEscrow(options);
  const base = parseDraftBase(options);
  const { amount } = options;
  const draft = { type: TRANSFER_TOKEN, tokenId, recipient, amount, feeInToken, escrow, ...base } as const;
  return sendFromDevice(draft, options, terminal);
}

export async function decideEscrow(options: DecisionOptions, terminal: Terminal): Promise<Outcome> {
  const approval = options.decision === 'approve' ? 0 : 1;
  const escrowHash = parseHash('the transaction hash', options.hash);
  const draft = { type: APPROVAL_ESCROW, approval, escrowHash, ...parseDraftBase(options) } as const;
  return sendFromDevice(draft, options, terminal);
}
