// Why a transaction or message is refused: the last byte of a refusal's detail
// (docs/APDU.md#refusal-details). The numbers are part of the protocol: a new reason is appended, none is
// renumbered.

// The command's own header, field 0.
export const HEADER_LENGTH = 1;
export const ACCOUNT_RANGE = 2;
export const TX_EMPTY = 3;
export const TX_TOO_LARGE = 4;
export const LINKED_TOO_LARGE = 5;
export const TOKEN_DECIMALS = 6;
export const TOKEN_SYMBOL = 7;
export const TOKEN_TAIL_UNEXPECTED = 8;
export const MORE_THAN_DECLARED = 9;
export const UNKNOWN_CHAIN = 10;

// The transaction, fields 1 to 11 (and 12, when it is the linked one).
export const TRUNCATED = 11;
export const TRAILING_BYTES = 12;
export const TYPE_UNSUPPORTED = 13;
export const BAD_VERSION = 14;
export const TIMESTAMP_ZERO = 15;
export const SENDER_NOT_OWN = 16;
export const ACCOUNT_KIND = 17;
export const RECIPIENT_MISSING = 18;
export const RECIPIENT_UNEXPECTED = 19;
export const BODY_LENGTH = 20;
export const TOKEN_ID_ZERO = 21;
export const TOKEN_AMOUNT_NEGATIVE = 22;
export const FEE_IN_TOKEN = 23;
export const BAD_APPROVAL = 24;
export const ESCROW_TIMEOUT = 25;
export const INSTRUCTION_TOO_LONG = 26;
export const MULTI_PARTY = 27;
export const MESSAGE_TOO_LONG = 28;
export const ESCROW_HASH = 29;

// The linked transaction, field 12.
export const LINKED_UNEXPECTED = 30;
export const LINKED_TYPE = 31;
export const LINKED_SENDER_KIND = 32;
export const LINKED_WITHOUT_ESCROW = 33;
export const LINKED_SIGNATURE = 34;
export const LINKED_APPROVER = 35;

// SIGN_MESSAGE, field 0.
export const BAD_MESSAGE_LENGTH = 36;
export const NOT_TEXT = 37;

// The transaction again, field 9.
export const ESCROW_UNEXPECTED = 38;
