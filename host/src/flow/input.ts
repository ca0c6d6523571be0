import { isBytes } from '@noble/hashes/utils.js';
import { type Escrow, invalidInputError } from '@zbc-signer/chain';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import type { ApprovalDraft, Draft, SendDraft, TokenDraft } from './draft.js';
import type { Limits } from './prepare.js';

/** What a field must be, in words, and whether a value is that. */
type Kind = readonly [wanted: string, isWanted: (value: unknown) => boolean];

const isBigint = (value: unknown) => typeof value === 'bigint';
const ATOMS: Kind = ['a bigint of atomic units', isBigint];
const BYTES: Kind = ['a Uint8Array', isBytes];
const ACCOUNT: Kind = ['an account: use parseAccount', value => isBytes(Object(value).payload)];

const LIMITS = { maxFee: ATOMS, expectedGenesisHash: BYTES } satisfies Partial<Record<keyof Limits, Kind>>;
const OPTIONAL = { fee: ATOMS, message: BYTES } satisfies Partial<Record<keyof Draft, Kind>>;
const ESCROW = {
  approver: ACCOUNT,
  commission: ATOMS,
  timeout: ['a bigint of Unix seconds', isBigint],
  instruction: BYTES,
} satisfies Partial<Record<keyof Escrow, Kind>>;
const SEND = { recipient: ACCOUNT, amount: ATOMS } satisfies Partial<Record<keyof SendDraft, Kind>>;
const TOKEN = { ...SEND, tokenId: ['a bigint', isBigint] } satisfies Partial<Record<keyof TokenDraft, Kind>>;
const APPROVAL = { escrowHash: BYTES } satisfies Partial<Record<keyof ApprovalDraft, Kind>>;
const DRAFTS = new Map<unknown, Readonly<Record<string, Kind>>>([
  [SEND_ZBC, SEND],
  [TRANSFER_TOKEN, TOKEN],
  [APPROVAL_ESCROW, APPROVAL],
]);

/**
 * Throws `INVALID_INPUT`, which names the field, for what a program without types may pass. JavaScript would
 * compare a bigint with it, or add it to one, without a word.
 */
export function checkDraft(draft: Draft): void {
  const { type, escrow } = Object(draft);
  const kinds = DRAFTS.get(type);
  if (kinds === undefined) throw invalidInputError('type must be one of TransactionType');
  check(kinds, draft);
  check(OPTIONAL, draft, true);
  if (escrow !== undefined) check(ESCROW, escrow);
}

/** As `checkDraft`, for the options that limit a transaction: a limit of another type would limit nothing. */
export function checkLimits(limits: Limits): void {
  check(LIMITS, limits, true);
}

function check(kinds: Readonly<Record<string, Kind>>, fields: object, isOptional = false): void {
  for (const [name, [wanted, isWanted]] of Object.entries(kinds)) {
    const value: unknown = Object(fields)[name];
    if (isOptional && value === undefined) continue;
    if (!isWanted(value)) throw invalidInputError(`${name} must be ${wanted}`);
  }
}
