// Why a transaction or message is refused: the last byte of a refusal's detail
// (docs/APDU.md#refusal-details). The numbers are part of the protocol: a new reason is appended, and no
// reason is renumbered.

// The header of the command, field 0.
/** The length of the header is not the sum of the lengths of its fields. */
export const HEADER_LENGTH = 1;
/** The account index is 2^31 or more. */
export const ACCOUNT_RANGE = 2;
/** The declared transaction length is 0. */
export const TX_EMPTY = 3;
/** The declared transaction length is above 2048. */
export const TX_TOO_LARGE = 4;
/** The declared linked length is above 2112. */
export const LINKED_TOO_LARGE = 5;
/** The token's decimals are neither 0 to 8 nor `ff`. */
export const TOKEN_DECIMALS = 6;
/** The token's symbol is longer than 12 bytes, or has a space or a byte that is not printable ASCII. */
export const TOKEN_SYMBOL = 7;
/** The header ends with token details, but the transaction transfers no token. */
export const TOKEN_TAIL_UNEXPECTED = 8;
/** The chunks have more bytes than the header declared. */
export const MORE_THAN_DECLARED = 9;
/** The user's setting refuses chains that are not in the device's table. */
export const UNKNOWN_CHAIN = 10;

// The transaction, fields 1 to 11. If it is a linked transaction, the field is 12.
/** The buffer ends inside the field that the refusal names. */
export const TRUNCATED = 11;
/** Bytes follow the message, which is the last field of the transaction. */
export const TRAILING_BYTES = 12;
/** The signer does not support this type. */
export const TYPE_UNSUPPORTED = 13;
/** The version is not 1. */
export const BAD_VERSION = 14;
/** The timestamp is 0. */
export const TIMESTAMP_ZERO = 15;
/** The sender is not the account that would sign. */
export const SENDER_NOT_OWN = 16;
/** The account kind does not exist, or is not allowed in this field. */
export const ACCOUNT_KIND = 17;
/** The transfer has no recipient. */
export const RECIPIENT_MISSING = 18;
/** The ApprovalEscrow has a recipient. */
export const RECIPIENT_UNEXPECTED = 19;
/** No body of this type has this length. */
export const BODY_LENGTH = 20;
/** The token id is 0, which is the id of the coin. */
export const TOKEN_ID_ZERO = 21;
/** The token amount is negative. */
export const TOKEN_AMOUNT_NEGATIVE = 22;
/** The fee-in-token flag is neither 0 nor 1. */
export const FEE_IN_TOKEN = 23;
/** The decision is neither 0 nor 1. */
export const BAD_APPROVAL = 24;
/** The escrow timeout is not after the timestamp. */
export const ESCROW_TIMEOUT = 25;
/** The escrow instruction is longer than 512 bytes. */
export const INSTRUCTION_TOO_LONG = 26;
/** The multi-party byte is neither 0 nor 1. */
export const MULTI_PARTY = 27;
/** The message of a transaction is longer than 256 bytes, or a message to sign is longer than 2048 bytes. */
export const MESSAGE_TOO_LONG = 28;
/** The linked bytes do not hash to the value in the body. */
export const ESCROW_HASH = 29;

// The linked transaction, field 12.
/** There are linked bytes, but the type has no linked transaction. */
export const LINKED_UNEXPECTED = 30;
/** The linked transaction is neither SendZBC nor TransferToken. */
export const LINKED_TYPE = 31;
/** The sender of the linked transaction is not a ZBC account. */
export const LINKED_SENDER_KIND = 32;
/** The linked transaction has no escrow. */
export const LINKED_WITHOUT_ESCROW = 33;
/** The linked transaction is not followed by exactly 64 bytes of signature. */
export const LINKED_SIGNATURE = 34;
/** The approver of the linked transaction is not the account that would sign. */
export const LINKED_APPROVER = 35;

// SIGN_MESSAGE, field 0.
/** The message to sign has 0 or exactly 32 bytes. */
export const BAD_MESSAGE_LENGTH = 36;
/** The message to sign is not text. */
export const NOT_TEXT = 37;

// The transaction again, field 9.
/** The ApprovalEscrow has an escrow. */
export const ESCROW_UNEXPECTED = 38;

// Contacts: field 0, or the field of the account.
/** The name of a contact breaks a rule (docs/APDU.md#names). */
export const CONTACT_NAME = 39;
/** The proof is not that of this name, account, chain and seed. */
export const CONTACT_PROOF = 40;
/** The header has the contact of an approver, but the transaction has no escrow of its own. */
export const CONTACT_UNEXPECTED = 41;
/** The user's setting allows payments to contacts and own accounts only, and the account is neither. */
export const CONTACT_REQUIRED = 42;

// REVEAL, field 0.
/** The revealed bytes are not those of the commitment. */
export const REVEAL_MISMATCH = 43;
