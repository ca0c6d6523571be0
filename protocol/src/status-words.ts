// Every status word of docs/APDU.md#status-words: one value, one name.
/** Success. */
export const OK = 0x9000;
/** The user rejected the request. With a detail of reason 10, a setting of the user rejected it. */
export const USER_REJECTED = 0x6985;
/** The bytes break a rule of the format. */
export const MALFORMED = 0x6a80;
/** The sender, or the approver of a linked transaction, is not the account that would sign. */
export const SENDER_MISMATCH = 0xb101;
/** A transaction type other than 1, 4 and 11. */
export const UNSUPPORTED_TYPE = 0xb102;
/** A length is above its limit. */
export const TOO_LARGE = 0xb103;
/** The linked bytes do not hash to the value in the body. */
export const ESCROW_HASH_MISMATCH = 0xb104;
/** No seed is available, or it changed while a review was open. */
export const LOCKED = 0x5515;
/** `Lc` disagrees with the bytes, or is not a length this command accepts. */
export const WRONG_LENGTH = 0x6700;
/** P1 or P2 is not defined for this command. */
export const WRONG_P1P2 = 0x6a86;
/** Unknown instruction. */
export const INS_NOT_SUPPORTED = 0x6d00;
/** Unknown class. */
export const CLA_NOT_SUPPORTED = 0x6e00;
/** A review is open; it stays on the screen unchanged. */
export const BUSY = 0x6901;
/** A chunk arrived without a header before it. */
export const BAD_STATE = 0x6902;
/** A self-check failed, and the device withheld its result. */
export const INTERNAL = 0x6f00;
