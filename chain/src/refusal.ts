import type * as numbers from '@zbc-signer/protocol/refusal-reasons';

type Kebab<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}-${Kebab<Tail>}`
  : Lowercase<S>;

/** The names in protocol/refusal-reasons.ts, in lower case and with dashes. */
export type RefusalReason = Kebab<keyof typeof numbers>;

/** Names of the wire format's fields by number. 0 is the command's header, 12 the linked transaction. */
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

/** Texts for the reasons, to complete "refused: …". They are in the order of the reasons' numbers, from 1. */
export const REFUSAL_MESSAGES: Readonly<Record<RefusalReason, string>> = {
  'header-length': 'the header has the wrong length',
  'account-range': 'the account index is above 2147483647',
  'tx-empty': 'the transaction is empty',
  'tx-too-large': 'the transaction is too large',
  'linked-too-large': 'the linked transaction is too large',
  'token-decimals': 'the token has more than 8 decimals',
  'token-symbol': 'the token symbol is longer than 12 characters or not printable ASCII without spaces',
  'token-tail-unexpected': 'the header has token details, but the transaction transfers no token',
  'more-than-declared': 'there are more bytes than the header declared',
  'unknown-chain': "the chain is unknown, and the device's settings refuse unknown chains",
  truncated: 'the bytes end early',
  'trailing-bytes': 'bytes follow the end of the transaction',
  'type-unsupported': 'the transaction type is not supported',
  'bad-version': 'the version is not 1',
  'timestamp-zero': 'the timestamp is 0',
  'sender-not-own': "the sender is not this device's account",
  'account-kind': 'this kind of account is not allowed here',
  'recipient-missing': 'the recipient is missing',
  'recipient-unexpected': 'an escrow approval must not have a recipient',
  'body-length': 'the body has the wrong length for this transaction type',
  'token-id-zero': 'the token id is 0',
  'token-amount-negative': 'the token amount is negative',
  'fee-in-token': 'the fee-in-token flag is neither 0 nor 1',
  'bad-approval': 'the escrow decision is neither 0 (approve) nor 1 (reject)',
  'escrow-timeout': 'the escrow timeout is not after the timestamp',
  'instruction-too-long': 'the escrow instruction is too long',
  'multi-party': 'the multi-party flag is neither 0 nor 1',
  'message-too-long': 'the message is too long',
  'escrow-hash': 'the linked transaction is not the one whose hash is to be approved',
  'linked-unexpected': 'only an escrow approval may have a linked transaction',
  'linked-type': 'the linked transaction transfers neither coins nor a token',
  'linked-sender-kind': 'the sender of the linked transaction is not a ZBC account',
  'linked-without-escrow': 'the linked transaction has no escrow',
  'linked-signature': 'the linked transaction does not end with exactly one 64-byte signature',
  'linked-approver': "the approver of the linked transaction is not this device's account",
  'bad-message-length': 'a message must be 1 to 2048 bytes long, and never exactly 32',
  'not-text': 'the message has bytes other than printable ASCII and line feeds',
  'escrow-unexpected': 'an escrow approval must not have an escrow',
  'contact-name': 'the name of the contact is not 1 to 24 printable characters, or breaks another rule',
  'contact-proof': "the proof of the contact is not that of this name, account, chain and device's seed",
  'contact-unexpected': 'there is a contact for an approver, but the transaction has no escrow of its own',
  'contact-required': "the device's settings allow payments to contacts only",
  'reveal-mismatch': 'the revealed bytes are not those of the commitment',
};

const NAMES = Object.keys(REFUSAL_MESSAGES) as RefusalReason[];

/** Returns the reason's name, or undefined for a number that is not in protocol/refusal-reasons.ts. */
export function refusalReason(number: number): RefusalReason | undefined {
  return NAMES[number - 1];
}

/** The position and the reason of a refusal. */
export interface RefusalPlace {
  /**
   * Number of the field in the wire format, 1 to 11; 0 for the command's header, 12 for the linked
   * transaction.
   */
  field: number;
  /** Position of the fault in bytes, from the start of the buffer that has the field. */
  offset: number;
  /** A RefusalReason, or `reason-N` for a number that this library does not know. */
  reason: string;
}

const DETAIL_LENGTH = 4;

/**
 * Parses the data of a refusal, which is `field u8, offset u16le, reason u8`. Returns undefined for data of
 * another length.
 */
export function parseRefusal(data: Uint8Array): RefusalPlace | undefined {
  if (data.length !== DETAIL_LENGTH) return undefined;
  const view = new DataView(data.buffer, data.byteOffset);
  const number = view.getUint8(3);
  return {
    field: view.getUint8(0),
    offset: view.getUint16(1, true),
    reason: refusalReason(number) ?? `reason-${number}`,
  };
}

/** Returns the text for a reason, or undefined for `reason-N`. */
export function refusalMessage(reason: string): string | undefined {
  return Object.hasOwn(REFUSAL_MESSAGES, reason) ? REFUSAL_MESSAGES[reason as RefusalReason] : undefined;
}

/** Returns the name of a field of the wire format, or `field N` for an unknown number. */
export function fieldName(field: number): string {
  return FIELD_NAMES[field] ?? `field ${field}`;
}

/** Formats a status word as four upper-case hex digits. */
export function formatStatusWord(statusWord: number): string {
  return statusWord.toString(16).toUpperCase().padStart(4, '0');
}

/** Returns the status word of a reply, which is its last two bytes; 0 for an empty reply. */
export function statusWordOf(reply: Uint8Array): number {
  return ((reply.at(-2) ?? 0) << 8) | (reply.at(-1) ?? 0);
}
