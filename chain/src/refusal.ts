import * as numbers from '../../protocol/refusal-reasons.js';

type Kebab<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}-${Kebab<Tail>}`
  : Lowercase<S>;

/** The names of protocol/refusal-reasons.ts, in lower case with dashes. */
export type RefusalReason = Kebab<keyof typeof numbers>;

/** Wire-format rows of interface.md by number; 0 is the command's own header, 12 the linked transaction. */
export const FIELD_NAMES = [
  'header',
  'transaction type',
  'version',
  'timestamp',
  'sender',
  'recipient',
  'fee',
  'body length',
  'body',
  'escrow',
  'message length',
  'message',
  'linked transaction',
] as const;

/** What each reason means, in words that complete "refused: ...". */
export const REFUSAL_WORDS: Readonly<Record<RefusalReason, string>> = {
  'header-length': 'the header has the wrong length',
  'account-range': 'the account index is above 2147483647',
  'tx-empty': 'the transaction is empty',
  'tx-too-large': 'the transaction is too large',
  'linked-too-large': 'the linked transaction is too large',
  'token-decimals': 'the token has more than 8 decimals',
  'token-symbol': 'the token symbol is longer than 12 characters or not printable ASCII without spaces',
  'token-tail-unexpected': 'token details were given for a transaction that transfers no token',
  'more-than-declared': 'more bytes arrived than the header declared',
  'unknown-chain': "the chain is unknown, and the device's own setting refuses unknown chains",
  truncated: 'the bytes end too early',
  'trailing-bytes': 'bytes follow the end of the transaction',
  'type-unsupported': 'the transaction type is not supported',
  version: 'the version is not 1',
  'timestamp-zero': 'the timestamp is 0',
  'sender-not-own': "the sender is not this device's account",
  'account-kind': 'the kind of account is not one allowed here',
  'recipient-missing': 'a recipient is missing',
  'recipient-unexpected': 'an escrow approval has no recipient, but one was given',
  'body-length': 'the body has the wrong length for this transaction type',
  'token-id-zero': 'the token id is 0',
  'token-amount-negative': 'the token amount is negative',
  'fee-in-token': 'the fee-in-token flag is neither 0 nor 1',
  approval: 'the escrow decision is neither 0 (approve) nor 1 (reject)',
  'escrow-timeout': 'the escrow timeout is not after the timestamp',
  'instruction-too-long': 'the escrow instruction is too long',
  'multi-party': 'the multi-party flag is neither 0 nor 1',
  'message-too-long': 'the message is too long',
  'escrow-hash': 'the linked transaction is not the one whose hash is to be approved',
  'linked-unexpected': 'a linked transaction was given, but only an escrow approval has one',
  'linked-type': 'the linked transaction transfers neither coins nor a token',
  'linked-sender-kind': 'the sender of the linked transaction is not a ZBC account',
  'linked-without-escrow': 'the linked transaction has no escrow',
  'linked-signature': 'the linked transaction does not end with exactly one 64-byte signature',
  'linked-approver': "the approver of the linked transaction is not this device's account",
  'message-length': 'a message to sign is 1 to 2048 bytes long, and never exactly 32',
  'not-text': 'the message holds something other than printable ASCII and line feeds',
};

const NAMES = new Map<number, RefusalReason>(
  Object.entries(numbers).map(([name, number]) => [
    number,
    name.toLowerCase().replaceAll('_', '-') as RefusalReason,
  ]),
);

/** The reason's name, or undefined for a number that is not in protocol/refusal-reasons.ts. */
export function refusalReason(number: number): RefusalReason | undefined {
  return NAMES.get(number);
}
