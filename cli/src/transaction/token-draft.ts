import { MAX_I64, parseUnits } from '@zbc-signer/chain';
import { type Token, type TokenDraft, unknownTokenError } from '@zbc-signer/host';
import { TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { createReader, openGateway, retryRead } from '../connection/gateway.js';
import { inOption } from '../errors/errors.js';
import { parseTokenId } from '../input/values.js';
import type { Terminal } from '../output/terminal.js';
import type { FindContacts } from './contacts.js';
import {
  type EscrowOptions,
  parseDraftBase,
  parseEscrow,
  parseRecipient,
  type SendingOptions,
} from './sending.js';

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
