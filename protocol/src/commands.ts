/** Instruction class of the signer's own commands (docs/APDU.md#commands). */
export const CLA_SIGNER = 0xe0;
/** Instruction class of GET_APP_NAME, which existing host tools send to find out which app is running. */
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

/** Proof of a name that the user approved for an account (docs/APDU.md#register_contact). */
export const INS_REGISTER_CONTACT = 0x08;

/** P1 of commands that have only one form. */
export const P1_NONE = 0x00;

/** P1 of GET_PUBLIC_KEY: the device replies at once, without a review. */
export const P1_SILENT = 0x00;
/** P1 of GET_PUBLIC_KEY: the device replies once the user has compared and approved the address. */
export const P1_CONFIRM = 0x01;

/** P1 of REGISTER_CONTACT: the device replies with a proof once the user has approved the contact. */
export const P1_REGISTER = 0x00;
/** P1 of REGISTER_CONTACT: the device replies at once whether the proof behind the contact is right. */
export const P1_CHECK = 0x01;

/** P1 of SIGN_TX and SIGN_MESSAGE: the command carries the header. */
export const P1_HEADER = 0x00;
/** P1 of SIGN_TX and SIGN_MESSAGE: the command carries a chunk of the bytes that follow the header. */
export const P1_DATA = 0x01;

/** P1 of SIGN_TX and SIGN_MESSAGE: the command, REVEAL, carries the random bytes that the commitment hashes. */
export const P1_REVEAL = 0x02;

/** P2 of commands and chunks without options. */
export const P2_NONE = 0x00;
/** A bit of P2 of the header of SIGN_TX: the header has the contact of the recipient. */
export const P2_RECIPIENT_CONTACT = 0x01;
/** A bit of P2 of the header of SIGN_TX: the header has the contact of the approver of the escrow. */
export const P2_APPROVER_CONTACT = 0x02;
/**
 * A bit of P2 of the header of SIGN_TX or SIGN_MESSAGE: the header has a commitment to random bytes, which the
 * host contributes to the nonce of the signature (docs/APDU.md#signatures-without-hidden-data).
 */
export const P2_COMMITMENT = 0x04;

/** Version of the protocol between firmware and host. */
export const PROTOCOL_VERSION = 1;
/** First number of the firmware's version. */
export const FIRMWARE_MAJOR = 1;
/** Second number of the firmware's version. */
export const FIRMWARE_MINOR = 0;
/** Third number of the firmware's version. */
export const FIRMWARE_PATCH = 0;
/** The three numbers of the version as a text, for display. */
export const FIRMWARE_VERSION = '1.0.0';

/** Offset of the flags in the reply to GET_APP_VERSION. */
export const FLAGS_AT = 4;
/** A bit of the flags in the reply to GET_APP_VERSION: the device signs only for chains that it knows. */
export const FLAG_REFUSES_UNKNOWN_CHAINS = 1;
/** A bit of the flags in the reply to GET_APP_VERSION: the device is locked: no seed is available. */
export const FLAG_LOCKED = 2;
/** A bit of the flags in the reply to GET_APP_VERSION: the device pays contacts and its own accounts only. */
export const FLAG_CONTACTS_ONLY = 4;
