import { createHash } from 'node:crypto';
import {
  ACCOUNT_KINDS,
  type Account,
  decodeBody,
  type Escrow,
  EscrowDecision,
  encodeTransaction,
  NO_ACCOUNT,
  TRANSACTION_FORMATS,
  type Transaction,
  type TransactionBody,
  TransactionError,
} from '@zbc-signer/chain';
import { MAX_INSTRUCTION, MAX_MESSAGE, MAX_TRANSACTION } from '@zbc-signer/protocol/limits';
import { APPROVAL_ESCROW, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import fc from 'fast-check';

/** A transaction that the signer accepts, with the other arguments of SIGN_TX. */
export interface SigningRequest {
  /** Its sender is the signer's account. */
  transaction: Transaction;
  /** Genesis hash of 32 bytes. */
  genesisHash: Uint8Array;
  /** The escrowed transaction of an ApprovalEscrow, with its 64-byte signature. */
  escrowed?: Transaction;
  signature?: Uint8Array;
  /** Token details from the host: decimals 0 to 8, a symbol of 1 to 12 characters. */
  token?: { decimals?: number; symbol?: string };
}

/** Generates texts of at most `maxLength` bytes. */
type Texts = (maxLength: number) => fc.Arbitrary<Uint8Array>;

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const COIN = 10n ** 8n;
/** Amounts whose sums often carry from the last digit to the coins. */
const besideCoins = fc
  .tuple(
    fc.oneof(fc.constant(0n), fc.bigInt(0n, 2n ** 64n / COIN - 1n)),
    fc.constantFrom(1n, 2n, COIN / 3n, COIN - COIN / 3n, COIN - 2n, COIN - 1n),
  )
  .map(([coins, rest]) => coins * COIN + rest);
const u64 = fc.oneof(
  fc.bigInt(0n, 2n ** 64n - 1n),
  fc.bigInt(0n, 1000n),
  fc.constant(2n ** 64n - 1n),
  besideCoins,
);
const seconds = fc.oneof(fc.bigInt(1n, 2n ** 63n), fc.bigInt(1n, 4_000_000_000n));

const plainText: Texts = maxLength => {
  const characters = fc.constantFrom(...Buffer.from('abc XYZ_09\n~!'));
  const asText = lengths(maxLength)
    .chain(([minLength, most]) => fc.array(characters, { minLength, maxLength: most, size: 'max' }))
    .map(letters => Uint8Array.from(letters));
  const binaryInLastByte = asText.map(text => text.map((byte, at) => (at === text.length - 1 ? 0xff : byte)));
  return fc.oneof(
    asText,
    binaryInLastByte,
    fc.uint8Array({ maxLength, size: 'max' }),
    fc.constant(new Uint8Array()),
  );
};

/** Ranges of lengths: short ones, the longest ones, and any. */
const lengths = (most: number) =>
  fc.constantFrom<[number, number]>([0, Math.min(10, most)], [Math.max(0, most - 2), most], [0, most]);

/** Texts that imitate titles, values and decision pages of the screens, or that no screen can draw. */
const IMITATIONS = [
  'Recipient',
  'Amount\n0.00000001 ZBC',
  'ZBC_L2HLFDOM_VKKKTEXX_C2P2M6LG_EB6ZNKSV_356SJUWW_5QPVHDE7_EFJA3PEX',
  'Sign transaction\napprove: press both',
  'Reject transaction',
  'Message (1/2)',
  '32 bytes (binary) 00000000',
  'ZBC Signer\nis ready',
  '\n\n\n\n',
  ' '.repeat(21),
  `${' '.repeat(20)}\n`,
  'A'.repeat(84),
  '\u202e0001',
  'О0Il1|',
  '\u0000',
  '\u007f',
  '\r\n',
  '\t',
];

/** Concatenated imitations, cut at the limit. */
const hostileText: Texts = maxLength =>
  fc
    .array(fc.constantFrom(...IMITATIONS), { maxLength: 40, size: 'max' })
    .map(parts => new TextEncoder().encode(parts.join('')).subarray(0, maxLength));

const kinds = ACCOUNT_KINDS.map((kind, number) => ({ kind: number, length: kind.payloadLength }));
/** Accounts of these kinds. Some have the payload of `own`, so that they differ from it only in their kind. */
const account = (choice: typeof kinds, own: Account): fc.Arbitrary<Account> =>
  fc
    .constantFrom(...choice)
    .chain(({ kind, length }) =>
      fc
        .oneof({ weight: 3, arbitrary: bytes(length) }, fc.constant(own.payload.slice(0, length)))
        .map(payload => ({ kind, payload })),
    );
const anyRecipient = (own: Account) =>
  fc.oneof(
    account([kinds[0]!], own),
    account(
      kinds.filter(({ length }) => length > 0),
      own,
    ),
  );
/** Accounts whose kind has payloads as long as a public key. */
export const keySized = (own: Account) =>
  account(
    kinds.filter(({ length }) => length === 32),
    own,
  );

/** The most bytes of an escrow instruction and of a message. */
type TextLimits = readonly [instruction: number, message: number];
const OWN_LIMITS: TextLimits = [MAX_INSTRUCTION, MAX_MESSAGE];
/** Bytes of the longest payment with an escrow, without its instruction and its message. */
const PAYMENT_LENGTH = 175;
const LINKED_TEXTS = MAX_TRANSACTION - PAYMENT_LENGTH;
/** A linked transaction has no other limit than the length of the linked bytes. */
const LINKED_LIMITS = fc.constantFrom<TextLimits[]>(
  OWN_LIMITS,
  [LINKED_TEXTS - MAX_MESSAGE, MAX_MESSAGE],
  [MAX_INSTRUCTION, LINKED_TEXTS - MAX_INSTRUCTION],
  [LINKED_TEXTS / 2, LINKED_TEXTS / 2].map(Math.floor) as [number, number],
);

const escrow = (
  approver: fc.Arbitrary<Account>,
  after: bigint,
  instruction: fc.Arbitrary<Uint8Array>,
): fc.Arbitrary<Escrow> =>
  fc.record({
    approver,
    commission: u64,
    timeout: fc.oneof(fc.constant(after + 1n), fc.bigInt(after + 1n, 2n ** 64n - 1n)),
    instruction,
    multiParty: fc.boolean(),
  });

const WORD = 8;
const word = fc.oneof(
  u64,
  fc.bigInt(-20n, 20n).map(value => BigInt.asUintN(64, value)),
);
/** Values for the bytes after the last whole word of a body, which may be a flag. */
const rest = fc.oneof(fc.constantFrom(0n, 1n), u64);

/** Bodies of `length` bytes that the signer accepts. */
function bodies(type: number, length: number): fc.Arbitrary<TransactionBody> {
  const words = Array.from({ length: Math.ceil(length / WORD) }, (_, index) =>
    (index + 1) * WORD <= length ? word : rest,
  );
  return fc
    .tuple(...words)
    .map(values => acceptedBody(type, new Uint8Array(BigUint64Array.from(values).buffer, 0, length)))
    .filter(body => body !== undefined);
}

function acceptedBody(type: number, body: Uint8Array): TransactionBody | undefined {
  try {
    return decodeBody(type, body);
  } catch (error) {
    if (error instanceof TransactionError) return undefined;
    throw error;
  }
}

const paymentBody = fc.oneof(
  ...Object.entries(TRANSACTION_FORMATS)
    .filter(([, { isPayment }]) => isPayment)
    .map(([type, { bodyLengths }]) => fc.oneof(...bodyLengths.map(length => bodies(Number(type), length)))),
);

/** Payments, which always have an escrow if `approver` is given, and otherwise sometimes. */
function payment(
  sender: Account,
  texts: Texts,
  [instruction, message]: TextLimits,
  approver?: Account,
): fc.Arbitrary<Transaction> {
  const user = approver ?? sender;
  return seconds.chain(timestamp => {
    const own = escrow(approver ? fc.constant(approver) : keySized(user), timestamp, texts(instruction));
    const base = fc.record({ fee: u64, recipient: anyRecipient(user), message: texts(message) });
    const withEscrow = approver ? own : fc.option(own, { nil: undefined });
    return fc
      .tuple(paymentBody, base, withEscrow)
      .map(([body, rest, held]) => ({ ...body, ...rest, timestamp, sender, ...(held && { escrow: held }) }));
  });
}

const token = fc.record(
  { decimals: fc.integer({ min: 0, max: 8 }), symbol: fc.stringMatching(/^[!-~]{1,12}$/) },
  { requiredKeys: [] },
);

function paymentRequest(own: Account, texts: Texts): fc.Arbitrary<SigningRequest> {
  return fc
    .tuple(payment(own, texts, OWN_LIMITS), bytes(32), fc.option(token, { nil: undefined }))
    .map(([transaction, genesisHash, details]) => ({
      transaction,
      genesisHash,
      ...(transaction.type === TRANSFER_TOKEN && details && { token: details }),
    }));
}

function approvalRequest(own: Account, texts: Texts): fc.Arbitrary<SigningRequest> {
  const theirs = fc
    .tuple(account([kinds[0]!], own), LINKED_LIMITS)
    .chain(([sender, limits]) => payment(sender, texts, limits, own));
  const base = fc.record({
    timestamp: seconds,
    fee: u64,
    message: texts(MAX_MESSAGE),
    genesisHash: bytes(32),
  });
  return fc
    .tuple(theirs, bytes(64), fc.constantFrom(...Object.values(EscrowDecision)), base)
    .map(([escrowed, signature, approval, { genesisHash, ...rest }]) => {
      const escrowHash = escrowHashOf(escrowed, signature);
      const transaction: Transaction = {
        type: APPROVAL_ESCROW,
        ...rest,
        approval,
        escrowHash,
        sender: own,
        recipient: NO_ACCOUNT,
      };
      return { transaction, genesisHash, escrowed, signature };
    });
}

/** The hash that an ApprovalEscrow names. */
export function escrowHashOf(escrowed: Transaction, signature: Uint8Array): Uint8Array {
  return createHash('sha3-256').update(linkedBytes(escrowed, signature)).digest();
}

/** The linked bytes of an ApprovalEscrow: the escrowed transaction, then its signature. */
export function linkedBytes(escrowed: Transaction, signature: Uint8Array): Uint8Array {
  return Buffer.concat([encodeTransaction(escrowed), signature]);
}

const requests = (own: Account, texts: Texts) =>
  fc.oneof({ weight: 3, arbitrary: paymentRequest(own, texts) }, approvalRequest(own, texts));

/** Requests of every type that the signer of the account `own` accepts. */
export function validRequests(own: Account): fc.Arbitrary<SigningRequest> {
  return requests(own, plainText);
}

/** Valid requests whose texts imitate other elements of the screen. */
export function hostileRequests(own: Account): fc.Arbitrary<SigningRequest> {
  return requests(own, hostileText);
}
