// Why a transaction or message is refused: the last byte of a refusal's detail
// (docs/APDU.md#refusal-details). The numbers are part of the protocol: a new reason is appended, none is
// renumbered.

// The command's own header, field 0.
/** The header does not have the length of its fields. */
export const HEADER_LENGTH = 1;
/** The account index is 2^31 or more. */
export const ACCOUNT_RANGE = 2;
/** The declared transaction length is 0. */
export const TX_EMPTY = 3;
/** The declared transaction length is above 2048. */
export const TX_TOO_LARGE = 4;
/** The declared linked length is above 2112. */
export const LINKED_TOO_LARGE = 5;
/** The decimals are neither 0 to 8 nor `ff`. */
export const TOKEN_DECIMALS = 6;
/** The symbol is longer than 12, or has a byte that is not printable ASCII or is a space. */
export const TOKEN_SYMBOL = 7;
/** A token tail on a type that moves no token. */
export const TOKEN_TAIL_UNEXPECTED = 8;
/** More bytes than the header declared. */
export const MORE_THAN_DECLARED = 9;
/** The user's setting refuses chains that are not in the device's table. */
export const UNKNOWN_CHAIN = 10;

// The transaction, fields 1 to 11 (and 12, when it is the linked one).
/** The buffer ends inside this field. */
export const TRUNCATED = 11;
/** Bytes after the message. */
export const TRAILING_BYTES = 12;
/** The signer does not support this type. */
export const TYPE_UNSUPPORTED = 13;
/** The version is not 1. */
export const BAD_VERSION = 14;
/** The timestamp is 0. */
export const TIMESTAMP_ZERO = 15;
/** The sender is not the account that would sign. */
export const SENDER_NOT_OWN = 16;
/** An account kind that does not exist, or is not allowed here. */
export const ACCOUNT_KIND = 17;
/** A transfer without a recipient. */
export const RECIPIENT_MISSING = 18;
/** An ApprovalEscrow with a recipient. */
export const RECIPIENT_UNEXPECTED = 19;
/** Not a body length of this type. */
export const BODY_LENGTH = 20;
/** Token id 0, which is the native coin. */
export const TOKEN_ID_ZERO = 21;
/** A negative token amount. */
export const TOKEN_AMOUNT_NEGATIVE = 22;
/** The flag is neither 0 nor 1. */
export const FEE_IN_TOKEN = 23;
/** The decision is neither 0 nor 1. */
export const BAD_APPROVAL = 24;
/** The escrow timeout is not after the timestamp. */
export const ESCROW_TIMEOUT = 25;
/** An escrow instruction above 512 bytes. */
export const INSTRUCTION_TOO_LONG = 26;
/** The multi-party byte is neither 0 nor 1. */
export const MULTI_PARTY = 27;
/** A message above 256 bytes in a transaction, or above 2048 bytes to sign. */
export const MESSAGE_TOO_LONG = 28;
/** The linked bytes do not hash to the value in the body. */
export const ESCROW_HASH = 29;

// The linked transaction, field 12.
/** Linked bytes on a type that takes none. */
export const LINKED_UNEXPECTED = 30;
/** The linked transaction is neither SendZBC nor TransferToken. */
export const LINKED_TYPE = 31;
/** Its sender is not a ZBC account. */
export const LINKED_SENDER_KIND = 32;
/** It has no escrow. */
export const LINKED_WITHOUT_ESCROW = 33;
/** It is not followed by exactly 64 bytes of signature. */
export const LINKED_SIGNATURE = 34;
/** Its approver is not the account that would sign. */
export const LINKED_APPROVER = 35;

// SIGN_MESSAGE, field 0.
/** A message to sign of 0 or exactly 32 bytes. */
export const BAD_MESSAGE_LENGTH = 36;
/** A message to sign that is not text. */
export const NOT_TEXT = 37;

// The transaction again, field 9.
/** An ApprovalEscrow with an escrow block. */
export const ESCROW_UNEXPECTED = 38;
