/** Instruction class of the signer's own commands (docs/APDU.md#commands). */
export const CLA_SIGNER = 0xe0;
/** Instruction class of the ecosystem's "get app and version". */
export const CLA_ECOSYSTEM = 0xb0;

export const INS_GET_APP_NAME = 0x01;
export const INS_GET_APP_VERSION = 0x03;
export const INS_GET_PUBLIC_KEY = 0x05;
export const INS_SIGN_TX = 0x06;
export const INS_SIGN_MESSAGE = 0x07;

/** P1 of commands that have only one form. */
export const P1_NONE = 0x00;

/** P1 of GET_PUBLIC_KEY. */
export const P1_SILENT = 0x00;
export const P1_CONFIRM = 0x01;

/** P1 of SIGN_TX and SIGN_MESSAGE. */
export const P1_HEADER = 0x00;
export const P1_DATA = 0x01;

export const PROTOCOL_VERSION = 1;
export const FIRMWARE_MAJOR = 1;
export const FIRMWARE_MINOR = 0;
export const FIRMWARE_PATCH = 0;
/** The same, for display. */
export const FIRMWARE_VERSION = '1.0.0';

/** Bits of the flags byte in the GET_APP_VERSION reply (docs/APDU.md#get_app_version). */
export const FLAG_REFUSES_UNKNOWN_CHAINS = 1;
export const FLAG_LOCKED = 2;
