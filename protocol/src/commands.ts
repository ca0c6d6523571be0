/** Instruction class of the signer's own commands (docs/APDU.md#commands). */
export const CLA_SIGNER = 0xe0;
/** Instruction class of the ecosystem's "get app and version". */
export const CLA_ECOSYSTEM = 0xb0;

/** Name and version of the app (docs/APDU.md#get_app_name). */
export const INS_GET_APP_NAME = 0x01;
/** Versions, flags and limits (docs/APDU.md#get_app_version). */
export const INS_GET_APP_VERSION = 0x03;
/** Public key and address (docs/APDU.md#get_public_key). */
export const INS_GET_PUBLIC_KEY = 0x05;
/** Signature of a transaction (docs/APDU.md#sign_tx). */
export const INS_SIGN_TX = 0x06;
/** Signature of a message (docs/APDU.md#sign_message). */
export const INS_SIGN_MESSAGE = 0x07;

/** P1 of commands that have only one form. */
export const P1_NONE = 0x00;

/** P1 of GET_PUBLIC_KEY: at once, without a review. */
export const P1_SILENT = 0x00;
/** P1 of GET_PUBLIC_KEY: once the user has compared the address. */
export const P1_CONFIRM = 0x01;

/** P1 of SIGN_TX and SIGN_MESSAGE: the header. */
export const P1_HEADER = 0x00;
/** P1 of SIGN_TX and SIGN_MESSAGE: the bytes that follow the header, in chunks. */
export const P1_DATA = 0x01;

/** The protocol that firmware and host speak. */
export const PROTOCOL_VERSION = 1;
/** First number of the firmware's version. */
export const FIRMWARE_MAJOR = 1;
/** Second number of the firmware's version. */
export const FIRMWARE_MINOR = 0;
/** Third number of the firmware's version. */
export const FIRMWARE_PATCH = 0;
/** The same, for display. */
export const FIRMWARE_VERSION = '1.0.0';

/** A bit of the flags in the reply to GET_APP_VERSION: only known chains are signed for. */
export const FLAG_REFUSES_UNKNOWN_CHAINS = 1;
/** A bit of the flags in the reply to GET_APP_VERSION: the device is locked, or has no seed. */
export const FLAG_LOCKED = 2;
