// Sizes are in bytes, unless the comment of a constant gives another unit (docs/TRANSACTION.md#limits,
// docs/APDU.md#commands).
/** The longest unsigned transaction. */
export const MAX_TRANSACTION = 2048;
/** The longest linked transaction, with its signature. */
export const MAX_LINKED = 2112;
/** The longest message of a transaction. */
export const MAX_MESSAGE = 256;
/** The longest instruction of an escrow. */
export const MAX_INSTRUCTION = 512;
/** The longest message of SIGN_MESSAGE. */
export const MAX_SIGN_MESSAGE = 2048;

/** Length of the header of a command: CLA, INS, P1, P2 and Lc. */
export const APDU_HEADER_LENGTH = 5;
/** The longest data of one command. */
export const MAX_CHUNK = 255;
/** Length of a report of HID or of the vendor interface. */
export const REPORT_LENGTH = 64;
/** The longest command. Every reply is shorter. */
export const MAX_APDU = 261;

/** Length of the header of SIGN_TX without token details. */
export const SIGN_TX_HEADER_LENGTH = 44;
/** Length of the name of a contact, padded with zeros. */
export const CONTACT_NAME_LENGTH = 24;
/** Length of the proof of a contact. */
export const CONTACT_PROOF_LENGTH = 32;
/** Length of a contact in the header of SIGN_TX: name and proof. */
export const CONTACT_LENGTH = 56;
/** Length of a commitment in a header, and of the random bytes that it hashes. */
export const COMMITMENT_LENGTH = 32;
/** Length of the nonce's point, the reply to an approval with a commitment. */
export const NONCE_POINT_LENGTH = 32;
/** Length of the header of SIGN_MESSAGE. */
export const SIGN_MESSAGE_HEADER_LENGTH = 8;

/** The greatest account index: 2^31 - 1. */
export const MAX_ACCOUNT_INDEX = 0x7fffffff;
/** The greatest number of decimals of a token; not a size. */
export const MAX_TOKEN_DECIMALS = 8;
/** Value that stands for decimals that are not given. */
export const TOKEN_DECIMALS_NOT_GIVEN = 0xff;
/** The longest symbol of a token, in characters. */
export const MAX_TOKEN_SYMBOL = 12;

/** Length of an Ed25519 public key. */
export const PUBLIC_KEY_LENGTH = 32;
/** Length of an address, in characters. */
export const ADDRESS_LENGTH = 66;
/** Length of the wire form of an account of kind 0. */
export const ACCOUNT_LENGTH = 36;
/** Length of an Ed25519 signature. */
export const SIGNATURE_LENGTH = 64;
/** Length of a SHA3-256 hash. */
export const HASH_LENGTH = 32;
/** Length of a BIP-39 seed. */
export const SEED_LENGTH = 64;
/** Length of the settings that a device stores. */
export const SETTINGS_LENGTH = 16;

/** Width of the screen, in pixels. */
export const SCREEN_WIDTH = 128;
/** Height of the screen, in pixels. */
export const SCREEN_HEIGHT = 64;
/** Length of a frame: 64 rows of 16 bytes, most significant bit left. */
export const FRAME_LENGTH = 1024;
