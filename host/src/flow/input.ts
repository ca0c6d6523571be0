import { type Escrow, EscrowDecision, invalidInputError } from '@zbc-signer/chain';
import { HASH_LENGTH } from '@zbc-signer/protocol/limits';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { copyBytes } from '../bytes.js';
import { SigningRecord } from '../device/signing-record.js';
import { encodeAccountIndex } from '../device/upload-header.js';
import { checkWitnesses, type WitnessOptions } from './chain/witnesses.js';
import type { ApprovalDraft, Draft, SendDraft, TokenDraft } from './draft/draft.js';
import { type Approved, afterApproval, afterSending } from './errors.js';
import { guardJournal, type PaymentJournal } from './journal/journal.js';
import type { ConfirmOptions, FlowOptions, PrepareOptions } from './options.js';

/**
 * A description of valid values, and a function that copies a valid value and returns undefined for any
 * other.
 */
type Kind = readonly [wanted: string, copy: (value: unknown) => unknown];
type Kinds<Fields> = { readonly [Name in keyof Fields]?: Kind };
type AnyKinds = Readonly<Record<string, Kind>>;

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const ofType = (type: string) => (value: unknown) => (typeof value === type ? value : undefined);
const having =
  (...methods: string[]) =>
  (value: unknown) =>
    methods.every(method => typeof Object(value)[method] === 'function') ? value : undefined;
const isLength = (length: number) => (value: unknown) => {
  const bytes = copyBytes(value);
  return bytes?.length === length ? bytes : undefined;
};

const BIGINT = ofType('bigint');
const ATOMS: Kind = ['a bigint of atomic units', BIGINT];
const BYTES: Kind = ['a Uint8Array', copyBytes];
const HASH: Kind = [`a Uint8Array of ${HASH_LENGTH} bytes`, isLength(HASH_LENGTH)];
const FLAG: Kind = ['true or false', ofType('boolean')];
const DURATION: Kind = [
  'a number of milliseconds',
  value => (typeof value === 'number' && value >= 0 ? value : undefined),
];
const ACCOUNT: Kind = ['an account: use parseAccount', copyAccount];

const isJournal = having('signed', 'ended', 'pending');

const OPTIONAL = { fee: ATOMS, message: BYTES } satisfies Kinds<Draft>;
const ESCROW = {
  approver: ACCOUNT,
  commission: ATOMS,
  timeout: ['a bigint of Unix seconds', BIGINT],
  instruction: BYTES,
  multiParty: FLAG,
} satisfies Kinds<Escrow>;
const HELD = {
  ...OPTIONAL,
  escrow: ['an escrow', value => (isObject(value) ? readFields(value, ESCROW) : undefined)],
} satisfies Kinds<SendDraft>;
const SEND = { recipient: ACCOUNT, amount: ATOMS } satisfies Kinds<SendDraft>;
const TOKEN = { ...SEND, tokenId: ['a bigint', BIGINT] } satisfies Kinds<TokenDraft>;
const TOKEN_OPTIONAL = {
  ...HELD,
  decimals: ['a whole number', value => (Number.isInteger(value) ? value : undefined)],
  feeInToken: FLAG,
} satisfies Kinds<TokenDraft>;
const APPROVAL = {
  approval: [
    'one of EscrowDecision',
    value => Object.values(EscrowDecision).find(decision => decision === value),
  ],
  escrowHash: HASH,
} satisfies Kinds<ApprovalDraft>;
/** The required and optional fields of each type of draft. */
const DRAFTS = new Map<unknown, readonly [needed: AnyKinds, optional: AnyKinds]>([
  [SEND_ZBC, [SEND, HELD]],
  [TRANSFER_TOKEN, [TOKEN, TOKEN_OPTIONAL]],
  [APPROVAL_ESCROW, [APPROVAL, OPTIONAL]],
]);

const ANTI_EXFIL = ['require', 'prefer', 'off'] as const;
const GATEWAYS: Kind = [
  'a list of GatewayClient',
  value => (Array.isArray(value) && value.every(having('nodeInfo')) ? [...value] : undefined),
];
const OPTIONS = {
  gateway: ['a GatewayClient', having('nodeInfo')],
  otherGateways: GATEWAYS,
  gateways: GATEWAYS,
  from: ['a bigint', BIGINT],
  previousHash: ['a hash in hex', ofType('string')],
  quorum: ['a number', ofType('number')],
  signer: ['a signer', having('signTransaction')],
  antiExfil: ['require, prefer or off', value => ANTI_EXFIL.find(each => each === value)],
  record: ['a SigningRecord', value => (value instanceof SigningRecord ? value : undefined)],
  allowsWithheld: FLAG,
  account: ['', value => encodeAccountIndex(value as number) && value],
  contacts: ['a ContactBook', value => (Array.isArray(value) ? undefined : having('find')(value))],
  publicKey: HASH,
  expectedPublicKey: HASH,
  expectedGenesisHash: HASH,
  maxFee: ATOMS,
  allowsZeroAmount: FLAG,
  allowsFeeInToken: FLAG,
  paysAgain: FLAG,
  broadcastsToAll: FLAG,
  waitsForConfirmation: FLAG,
  confirmationTimeoutMs: DURATION,
  pollMs: DURATION,
  signal: ['an AbortSignal', having('addEventListener')],
  onProgress: ['a function', ofType('function')],
  clock: ['a clock', having('sleep')],
  journal: [
    'a PaymentJournal, with signed, ended and pending',
    value => isJournal(value) && guardJournal(value as PaymentJournal),
  ],
} satisfies Kinds<FlowOptions & PrepareOptions & WitnessOptions & { from?: bigint; previousHash?: string }>;

/**
 * Copies a draft, so that later changes by the caller have no effect. Throws `INVALID_INPUT` if a field has a
 * value of the wrong type: a caller without TypeScript may pass a number, which JavaScript would silently
 * compare with a bigint. Also throws for an unknown field, because its name may be a misspelt `message`.
 */
export function readDraft(draft: Draft): Draft {
  const { type } = Object(draft);
  const kinds = DRAFTS.get(type);
  if (kinds === undefined) throw invalidInputError('type must be one of TransactionType');
  const [needed, optional] = kinds;
  const fields = { type, ...readFields(draft, needed), ...readFields(draft, optional, true) };
  refuseOthers(draft, fields, `field of a transaction of type ${type}`);
  return fields as Draft;
}

/**
 * Like `readDraft`, for the options of a step. Options of other steps are valid too. Throws if an option in
 * `needed` is missing.
 */
export function readOptions<Options extends object>(
  options: Options,
  ...needed: (keyof typeof OPTIONS)[]
): Options {
  const given = readFields(options, OPTIONS, true);
  for (const name of needed) {
    if (!Object.hasOwn(given, name)) throw mustBe(name, OPTIONS[name]);
  }
  refuseOthers(options, given, 'option');
  const { gateway, otherGateways = [], quorum = 1 } = given as Partial<ConfirmOptions>;
  if (gateway !== undefined) checkWitnesses([gateway, ...otherGateways], quorum);
  return given as Options;
}

/** Like `readOptions`, for a transaction that an earlier call may have sent. */
export function readLaterOptions<Options extends object>(options: Options, given: unknown): Options {
  try {
    return readOptions(options, 'gateway');
  } catch (error) {
    const sent = Object(given).sent === 'yes' ? 'yes' : 'maybe';
    throw isApproved(given) ? afterApproval(error, given, sent) : afterSending(error, sent);
  }
}

function isApproved(given: unknown): given is Approved {
  const { transactionHash, transaction } = Object(given);
  return copyBytes(transactionHash) !== undefined && typeof Object(transaction).timestamp === 'bigint';
}

function refuseOthers(given: object, known: object, what: string): void {
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !Object.hasOwn(known, name))
      throw invalidInputError(`unknown ${what}: ${name}`);
  }
}

function readFields(fields: object, kinds: AnyKinds, isOptional = false): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries<Kind>(kinds)) {
    const value: unknown = Object(fields)[name];
    if (isOptional && value === undefined) continue;
    const copy = kind[1](value);
    if (copy === undefined) throw mustBe(name, kind);
    read[name] = copy;
  }
  return read;
}

function mustBe(name: string, [wanted]: Kind): Error {
  return invalidInputError(`${name} must be ${wanted}`);
}

function copyAccount(account: unknown): unknown {
  const { kind, payload } = Object(account);
  const copy = copyBytes(payload);
  return typeof kind === 'number' && copy ? { kind, payload: copy } : undefined;
}
