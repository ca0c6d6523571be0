import { toHex } from '../../../chain/src/index.js';
import {
  CLA_ECOSYSTEM,
  CLA_SIGNER,
  INS_GET_APP_NAME,
  INS_GET_APP_VERSION,
  INS_GET_PUBLIC_KEY,
  INS_SIGN_MESSAGE,
  INS_SIGN_TX,
  P1_CONFIRM,
  P1_DATA,
} from '../../../protocol/commands.js';
import {
  APDU_HEADER,
  SIGN_MESSAGE_HEADER,
  SIGN_TX_HEADER,
  TOKEN_DECIMALS_NOT_GIVEN,
} from '../../../protocol/limits.js';
import { readU32 } from './little-endian.js';

interface Upload {
  ins: number;
  length: number;
  received: number;
  chunks: number;
  /** Of the first chunk: hosts send all but the last equally long. */
  chunkLength: number;
}

/** Tells commands in words. It keeps count of an upload's chunks, so it has to be told every command, in order. */
export class CommandTeller {
  #upload: Upload | undefined;

  tell(apdu: Uint8Array): string {
    const [cla = 0, ins = 0, p1 = 0] = apdu;
    const data = apdu.subarray(APDU_HEADER);
    if (apdu.length < APDU_HEADER || apdu[APDU_HEADER - 1] !== data.length)
      return `Not a command: ${apdu.length} bytes`;
    if (cla === CLA_SIGNER && p1 === P1_DATA && (ins === INS_SIGN_TX || ins === INS_SIGN_MESSAGE))
      return `${signing(ins)}: ${this.#tellChunk(ins, data)}`;
    this.#upload = undefined;
    if (cla === CLA_ECOSYSTEM && ins === INS_GET_APP_NAME) return 'Get app and version';
    if (cla !== CLA_SIGNER) return `Unknown command of class ${hexByte(cla)}`;
    if (ins === INS_GET_APP_VERSION) return 'Get version';
    if (ins === INS_GET_PUBLIC_KEY) return tellPublicKey(p1, data);
    if (ins === INS_SIGN_TX || ins === INS_SIGN_MESSAGE)
      return `${signing(ins)}: ${this.#tellHeader(ins, data)}`;
    return `Unknown command ${hexByte(ins)}`;
  }

  #tellHeader(ins: number, data: Uint8Array): string {
    const least = ins === INS_SIGN_TX ? SIGN_TX_HEADER : SIGN_MESSAGE_HEADER;
    if (data.length < least) return `a header of ${data.length} bytes, ${least} wanted`;
    const length = ins === INS_SIGN_TX ? readU32(data, 36) + readU32(data, 40) : readU32(data, 4);
    this.#upload = { ins, length, received: 0, chunks: 0, chunkLength: 0 };
    return ins === INS_SIGN_TX ? tellTransaction(data) : `account ${readU32(data, 0)}, ${length} bytes`;
  }

  #tellChunk(ins: number, data: Uint8Array): string {
    const upload = this.#upload;
    if (upload?.ins !== ins || upload.received >= upload.length)
      return `a chunk of ${data.length} bytes without a header`;
    upload.chunkLength ||= data.length;
    upload.chunks++;
    upload.received += data.length;
    const total = Math.max(upload.chunks, Math.ceil(upload.length / Math.max(1, upload.chunkLength)));
    return `chunk ${upload.chunks} of ${total}, ${upload.received} of ${upload.length} bytes`;
  }
}

const signing = (ins: number): string => (ins === INS_SIGN_TX ? 'Sign transaction' : 'Sign message');

const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0');

function tellPublicKey(p1: number, data: Uint8Array): string {
  const account = data.length === 4 ? `account ${readU32(data, 0)}` : `an account of ${data.length} bytes`;
  return `Get public key: ${account}${p1 === P1_CONFIRM ? ', confirmed on the device' : ''}`;
}

function tellTransaction(header: Uint8Array): string {
  const linkedLength = readU32(header, 40);
  return [
    `account ${readU32(header, 0)}`,
    `chain ${toHex(header.subarray(4, 8))}…`,
    `${readU32(header, 36)} bytes`,
    ...(linkedLength === 0 ? [] : [`${linkedLength} linked bytes`]),
    ...(header.length === SIGN_TX_HEADER ? [] : [tellToken(header.subarray(SIGN_TX_HEADER))]),
  ].join(', ');
}

function tellToken(tail: Uint8Array): string {
  const [decimals = TOKEN_DECIMALS_NOT_GIVEN, , ...symbol] = tail;
  const scale = decimals === TOKEN_DECIMALS_NOT_GIVEN ? '' : ` of ${decimals} decimals`;
  const name = String.fromCharCode(...symbol).replace(/[^!-~]/g, '?');
  return `token${scale}${name === '' ? '' : ` called ${name}`}`;
}
