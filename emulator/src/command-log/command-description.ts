import { toHex } from '@zbc-signer/chain';
import {
  CLA_ECOSYSTEM,
  CLA_SIGNER,
  INS_GET_APP_NAME,
  INS_GET_APP_VERSION,
  INS_GET_PUBLIC_KEY,
  INS_REGISTER_CONTACT,
  INS_SIGN_MESSAGE,
  INS_SIGN_TX,
  P1_CHECK,
  P1_CONFIRM,
  P1_DATA,
  P1_REVEAL,
  P2_APPROVER_CONTACT,
  P2_COMMITMENT,
  P2_RECIPIENT_CONTACT,
} from '@zbc-signer/protocol/commands';
import {
  APDU_HEADER_LENGTH,
  COMMITMENT_LENGTH,
  CONTACT_LENGTH,
  CONTACT_NAME_LENGTH,
  HASH_LENGTH,
  SIGN_MESSAGE_HEADER_LENGTH,
  SIGN_TX_HEADER_LENGTH,
  TOKEN_DECIMALS_NOT_GIVEN,
} from '@zbc-signer/protocol/limits';

interface Upload {
  ins: number;
  length: number;
  received: number;
  chunks: number;
  /** Length of the first chunk: hosts send chunks of equal length, except the last. */
  chunkLength: number;
}

/** Describes commands in words. It counts the chunks of an upload, so it must see every command, in order. */
export class CommandDescriber {
  #upload: Upload | undefined;

  describe(apdu: Uint8Array): string {
    const [cla = 0, ins = 0, p1 = 0, p2 = 0] = apdu;
    const data = apdu.subarray(APDU_HEADER_LENGTH);
    if (apdu.length < APDU_HEADER_LENGTH || apdu[APDU_HEADER_LENGTH - 1] !== data.length) {
      return `Not a command: ${apdu.length} bytes`;
    }
    if (cla === CLA_SIGNER && p1 === P1_DATA && (ins === INS_SIGN_TX || ins === INS_SIGN_MESSAGE)) {
      return `${signing(ins)}: ${this.#describeChunk(ins, data)}`;
    }
    this.#upload = undefined;
    if (cla === CLA_ECOSYSTEM && ins === INS_GET_APP_NAME) return 'Get app and version';
    if (cla !== CLA_SIGNER) return `Unknown class ${hexByte(cla)}`;
    if (ins === INS_GET_APP_VERSION) return 'Get version';
    if (ins === INS_GET_PUBLIC_KEY) return describePublicKey(p1, data);
    if (ins === INS_REGISTER_CONTACT) return describeContact(p1, data);
    if (ins === INS_SIGN_TX || ins === INS_SIGN_MESSAGE) {
      const what =
        p1 === P1_REVEAL ? "reveal the host's part of the nonce" : this.#describeHeader(ins, p2, data);
      return `${signing(ins)}: ${what}`;
    }
    return `Unknown command ${hexByte(ins)}`;
  }

  #describeHeader(ins: number, p2: number, data: Uint8Array): string {
    const contacts =
      ins === INS_SIGN_TX ? CONTACTS.filter(([bit]) => (p2 & bit) !== 0).map(([, whose]) => whose) : [];
    const commitment = (p2 & P2_COMMITMENT) !== 0 ? COMMITMENT_LENGTH : 0;
    const least =
      commitment +
      (ins === INS_SIGN_TX
        ? SIGN_TX_HEADER_LENGTH + CONTACT_LENGTH * contacts.length
        : SIGN_MESSAGE_HEADER_LENGTH);
    if (data.length < least) return `a header of ${data.length} bytes, ${least} expected`;
    const length = ins === INS_SIGN_TX ? readU32(data, 36) + readU32(data, 40) : readU32(data, 4);
    this.#upload = { ins, length, received: 0, chunks: 0, chunkLength: 0 };
    const words =
      ins === INS_SIGN_TX
        ? describeTransaction(data, contacts, least)
        : `account ${readU32(data, 0)}, ${length} bytes`;
    return commitment === 0 ? words : `${words}, with a commitment`;
  }

  #describeChunk(ins: number, data: Uint8Array): string {
    const upload = this.#upload;
    if (upload?.ins !== ins || upload.received >= upload.length) {
      return `a chunk of ${data.length} bytes without a header`;
    }
    upload.chunkLength ||= data.length;
    upload.chunks++;
    upload.received += data.length;
    const total = Math.max(upload.chunks, Math.ceil(upload.length / Math.max(1, upload.chunkLength)));
    return `chunk ${upload.chunks} of ${total}, ${upload.received} of ${upload.length} bytes`;
  }
}

const signing = (ins: number): string => (ins === INS_SIGN_TX ? 'Sign transaction' : 'Sign message');

const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0');

function describePublicKey(p1: number, data: Uint8Array): string {
  const account = data.length === 4 ? `account ${readU32(data, 0)}` : `an account of ${data.length} bytes`;
  return `Get public key: ${account}${p1 === P1_CONFIRM ? ', confirmed on the device' : ''}`;
}

const CONTACTS = [
  [P2_RECIPIENT_CONTACT, 'recipient'],
  [P2_APPROVER_CONTACT, 'approver'],
] as const;

function describeContact(p1: number, data: Uint8Array): string {
  const verb = p1 === P1_CHECK ? 'Check' : 'Register';
  return `${verb} contact: ${nameAt(data, HASH_LENGTH)}, chain ${toHex(data.subarray(0, 4))}…`;
}

const nameAt = (data: Uint8Array, at: number): string =>
  printable(data.subarray(at, at + CONTACT_NAME_LENGTH).filter(byte => byte !== 0));

/** Returns characters from a host, with `?` for each that is not printable. */
const printable = (characters: Iterable<number>): string =>
  String.fromCharCode(...characters).replace(/[^ -~]/g, '?');

function describeTransaction(header: Uint8Array, contacts: readonly string[], tailAt: number): string {
  const tail = header.subarray(tailAt);
  const linkedLength = readU32(header, 40);
  return [
    `account ${readU32(header, 0)}`,
    `chain ${toHex(header.subarray(4, 8))}…`,
    `${readU32(header, 36)} bytes`,
    ...(linkedLength === 0 ? [] : [`${linkedLength} linked bytes`]),
    ...contacts.map(
      (whose, i) => `${whose} contact ${nameAt(header, SIGN_TX_HEADER_LENGTH + CONTACT_LENGTH * i)}`,
    ),
    ...(tail.length === 0 ? [] : [describeToken(tail)]),
  ].join(', ');
}

function describeToken(tail: Uint8Array): string {
  const [decimals = TOKEN_DECIMALS_NOT_GIVEN, , ...symbol] = tail;
  const scale = decimals === TOKEN_DECIMALS_NOT_GIVEN ? '' : ` with ${decimals} decimals`;
  const name = String.fromCharCode(...symbol).replace(/[^!-~]/g, '?');
  return `token${scale}${name === '' ? '' : ` ${name}`}`;
}

/** An unsigned 32-bit little-endian integer. */
export const readU32 = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
