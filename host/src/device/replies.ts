import { encodeAddress } from '@zbc-signer/chain';
import {
  FLAG_CONTACTS_ONLY,
  FLAG_LOCKED,
  FLAG_REFUSES_UNKNOWN_CHAINS,
  PROTOCOL_VERSION,
} from '@zbc-signer/protocol/commands';
import { ADDRESS_LENGTH, PUBLIC_KEY_LENGTH } from '@zbc-signer/protocol/limits';
import { OK } from '@zbc-signer/protocol/status-words';
import { addressMismatchError, DeviceError, invalidReplyError, protocolVersionError } from '../errors.js';

/** The app name that the firmware reports. */
export const APP_NAME = 'ZBC Signer';
/** Offsets in the reply to GET_APP_VERSION. */
const TYPE_COUNT_AT = 17;
const TYPES_AT = 18;

/** The name and version of the app on the device. */
export interface AppName {
  name: string;
  version: string;
}

/**
 * Version, limits and settings of the device. Sizes are in bytes; `supportedTypes` are transaction type ids.
 */
export interface SignerVersion {
  protocolVersion: number;
  firmwareVersion: string;
  refusesUnknownChains: boolean;
  /** Whether a setting refuses payments to other accounts than contacts and the signing account. */
  contactsOnly: boolean;
  locked: boolean;
  maxTransaction: number;
  maxMessage: number;
  maxInstruction: number;
  supportedTypes: number[];
}

/** An Ed25519 key of 32 bytes, and its address of 66 characters. */
export interface DevicePublicKey {
  publicKey: Uint8Array;
  address: string;
}

/** Throws `WRONG_APP` if the app is not the signer. */
export function parseAppName(data: Uint8Array): AppName {
  if (data[0] !== 1) throw invalidReplyError('unrecognised app name');
  const [name, next] = readText(data, 1);
  const [version] = readText(data, next);
  if (name !== APP_NAME) {
    throw new DeviceError('WRONG_APP', OK, `the device runs the app "${name}", not ${APP_NAME}`, {
      facts: { app: name },
    });
  }
  return { name, version };
}

/** Ignores bytes after the last field, because later versions of the firmware may append fields. */
export function parseVersion(data: Uint8Array): SignerVersion {
  const protocolVersion = data[0];
  if (protocolVersion !== undefined && protocolVersion !== PROTOCOL_VERSION) {
    throw protocolVersionError(protocolVersion, PROTOCOL_VERSION);
  }
  const count = data[TYPE_COUNT_AT] ?? 0;
  if (data.length < TYPES_AT + 4 * count) {
    throw invalidReplyError(`the reply with the version is too short: ${data.length} bytes`);
  }
  const view = new DataView(data.buffer, data.byteOffset);
  const flags = view.getUint8(4);
  return {
    protocolVersion: PROTOCOL_VERSION,
    firmwareVersion: `${data[1]}.${data[2]}.${data[3]}`,
    refusesUnknownChains: (flags & FLAG_REFUSES_UNKNOWN_CHAINS) !== 0,
    contactsOnly: (flags & FLAG_CONTACTS_ONLY) !== 0,
    locked: (flags & FLAG_LOCKED) !== 0,
    maxTransaction: view.getUint32(5, true),
    maxMessage: view.getUint32(9, true),
    maxInstruction: view.getUint32(13, true),
    supportedTypes: Array.from({ length: count }, (_, at) => view.getUint32(TYPES_AT + 4 * at, true)),
  };
}

/** Throws `ADDRESS_MISMATCH` if the address does not belong to the key. */
export function parsePublicKey(data: Uint8Array): DevicePublicKey {
  expectLength(data, PUBLIC_KEY_LENGTH + ADDRESS_LENGTH, 'a public key and its address');
  const publicKey = data.slice(0, PUBLIC_KEY_LENGTH);
  const address = encodeAddress(publicKey);
  if (String.fromCharCode(...data.subarray(PUBLIC_KEY_LENGTH)) !== address) throw addressMismatchError();
  return { publicKey, address };
}

/** Throws `INVALID_REPLY` if the data does not have the expected length; `what` names the data. */
export function expectLength(data: Uint8Array, expected: number, what: string): void {
  if (data.length !== expected) {
    throw invalidReplyError(`the reply has ${data.length} bytes, expected ${expected} for ${what}`);
  }
}

/** Reads a length byte and that many characters of printable ASCII. Also returns the offset after them. */
function readText(data: Uint8Array, start: number): [text: string, next: number] {
  const next = start + 1 + (data[start] ?? 0);
  const text = String.fromCharCode(...data.subarray(start + 1, next));
  if (next > data.length || !/^[\x20-\x7e]+$/.test(text)) {
    throw invalidReplyError('truncated or unprintable app name');
  }
  return [text, next];
}
