import { encodeAddress } from '../../chain/src/index.js';
import { FLAG_LOCKED, FLAG_REFUSES_UNKNOWN_CHAINS, PROTOCOL_VERSION } from '../../protocol/commands.js';
import { ADDRESS, PUBLIC_KEY } from '../../protocol/limits.js';
import { OK } from '../../protocol/status-words.js';
import { AddressMismatchError, InvalidReplyError, SignerError, WrongAppError } from './errors.js';

/** The name that the firmware gives itself. */
export const APP_NAME = 'ZBC Signer';
/** Offsets of signer-protocol §1.1. */
const TYPE_COUNT_AT = 17;
const TYPES_AT = 18;

export interface AppName {
  name: string;
  version: string;
}

/** Sizes in bytes, types by id. */
export interface SignerVersion {
  protocolVersion: number;
  firmwareVersion: string;
  refusesUnknownChains: boolean;
  locked: boolean;
  maxTransaction: number;
  maxMessage: number;
  maxInstruction: number;
  supportedTypes: number[];
}

export interface DevicePublicKey {
  publicKey: Uint8Array;
  address: string;
}

/** Throws WrongAppError when the app is not the signer. */
export function parseAppName(data: Uint8Array): AppName {
  if (data[0] !== 1) {
    throw new InvalidReplyError('a name of the app in an unknown form');
  }
  const [name, next] = readText(data, 1);
  const [version] = readText(data, next);
  if (name !== APP_NAME) {
    throw new WrongAppError('WRONG_APP', OK, `the device runs the app "${name}", not ${APP_NAME}`, {
      facts: { app: name },
      hint: `Open ${APP_NAME} on the device.`,
    });
  }
  return { name, version };
}

/** Ignores bytes after the last field, which a later version may add (§1.1). */
export function parseVersion(data: Uint8Array): SignerVersion {
  const protocolVersion = data[0];
  if (protocolVersion !== undefined && protocolVersion !== PROTOCOL_VERSION) {
    throw new SignerError(
      'PROTOCOL_VERSION',
      `the device speaks protocol ${protocolVersion}, this program ${PROTOCOL_VERSION}`,
      {
        facts: { protocolVersion },
        hint: 'Update this program or the device.',
      },
    );
  }
  const count = data[TYPE_COUNT_AT] ?? 0;
  if (data.length < TYPES_AT + 4 * count) {
    throw new InvalidReplyError(`a version of ${data.length} bytes, too short for its fields`);
  }
  const view = new DataView(data.buffer, data.byteOffset);
  const flags = view.getUint8(4);
  return {
    protocolVersion: PROTOCOL_VERSION,
    firmwareVersion: `${data[1]}.${data[2]}.${data[3]}`,
    refusesUnknownChains: (flags & FLAG_REFUSES_UNKNOWN_CHAINS) !== 0,
    locked: (flags & FLAG_LOCKED) !== 0,
    maxTransaction: view.getUint32(5, true),
    maxMessage: view.getUint32(9, true),
    maxInstruction: view.getUint32(13, true),
    supportedTypes: Array.from({ length: count }, (_, at) => view.getUint32(TYPES_AT + 4 * at, true)),
  };
}

/** Takes the address only when it is the one that belongs to the key; throws AddressMismatchError. */
export function parsePublicKey(data: Uint8Array): DevicePublicKey {
  expectLength(data, PUBLIC_KEY + ADDRESS, 'a public key and its address');
  const publicKey = data.slice(0, PUBLIC_KEY);
  const address = encodeAddress(publicKey);
  if (String.fromCharCode(...data.subarray(PUBLIC_KEY)) !== address) {
    throw new AddressMismatchError();
  }
  return { publicKey, address };
}

/** Throws InvalidReplyError for any other length. */
export function expectLength(data: Uint8Array, wanted: number, what: string): void {
  if (data.length !== wanted) {
    throw new InvalidReplyError(`${what} of ${data.length} bytes, ${wanted} wanted`);
  }
}

/** A length byte and printable ASCII; also the offset after it. */
function readText(data: Uint8Array, start: number): [text: string, next: number] {
  const next = start + 1 + (data[start] ?? 0);
  const text = String.fromCharCode(...data.subarray(start + 1, next));
  if (next > data.length || !/^[\x20-\x7e]+$/.test(text)) {
    throw new InvalidReplyError('a name of the app that is cut short or not printable');
  }
  return [text, next];
}
