// Sizes in bytes unless the name says otherwise (docs/TRANSACTION.md#limits, docs/APDU.md#commands).
export const MAX_TRANSACTION = 2048;
export const MAX_LINKED = 2112;
export const MAX_MESSAGE = 256;
export const MAX_INSTRUCTION = 512;
export const MAX_SIGN_MESSAGE = 2048;

export const APDU_HEADER_LENGTH = 5;
export const MAX_CHUNK = 255;
/** One report of HID or of the vendor interface. */
export const REPORT_LENGTH = 64;
/** A command at its longest; a reply is shorter. */
export const MAX_APDU = 261;

export const SIGN_TX_HEADER_LENGTH = 44;
export const SIGN_MESSAGE_HEADER_LENGTH = 8;

export const MAX_ACCOUNT_INDEX = 0x7fffffff;
export const MAX_TOKEN_DECIMALS = 8;
export const TOKEN_DECIMALS_NOT_GIVEN = 0xff;
export const MAX_TOKEN_SYMBOL = 12;

export const PUBLIC_KEY_LENGTH = 32;
export const ADDRESS_LENGTH = 66;
export const ACCOUNT_LENGTH = 36;
export const SIGNATURE_LENGTH = 64;
export const HASH_LENGTH = 32;
export const SEED_LENGTH = 64;
export const SETTINGS_LENGTH = 16;

export const SCREEN_WIDTH = 128;
export const SCREEN_HEIGHT = 64;
/** One frame: 64 rows of 16 bytes, most significant bit left. */
export const FRAME_LENGTH = 1024;
