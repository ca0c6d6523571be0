// Every status word of docs/APDU.md#status-words: one value, one name.
export const OK = 0x9000;
export const USER_REJECTED = 0x6985;
export const MALFORMED = 0x6a80;
export const SENDER_MISMATCH = 0xb101;
export const UNSUPPORTED_TYPE = 0xb102;
export const TOO_LARGE = 0xb103;
export const ESCROW_HASH_MISMATCH = 0xb104;
export const LOCKED = 0x5515;
export const WRONG_LENGTH = 0x6700;
export const WRONG_P1P2 = 0x6a86;
export const INS_NOT_SUPPORTED = 0x6d00;
export const CLA_NOT_SUPPORTED = 0x6e00;
export const BUSY = 0x6901;
export const BAD_STATE = 0x6902;
export const INTERNAL = 0x6f00;
