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
  P1_HEADER,
  P1_SILENT,
} from '@zbc-signer/protocol/commands';
import { MAX_CHUNK } from '@zbc-signer/protocol/limits';

// Commands of docs/APDU.md#commands as bytes, many of which the host library would refuse to send.

const UNKNOWN_DECIMALS = 0xff;
const NOTHING = new Uint8Array(0);

function command(ins: number, p1: number, data: Uint8Array = NOTHING): Uint8Array {
  return Buffer.from([CLA_SIGNER, ins, p1, 0, data.length, ...data]);
}

export const GET_APP_NAME = Uint8Array.of(CLA_ECOSYSTEM, INS_GET_APP_NAME, 0, 0, 0);
export const GET_APP_VERSION = command(INS_GET_APP_VERSION, 0);

export function getPublicKey(account: number, confirm = false): Uint8Array {
  return command(INS_GET_PUBLIC_KEY, confirm ? P1_CONFIRM : P1_SILENT, u32(account));
}

interface TransactionRequest {
  account: number;
  genesis: Uint8Array;
  transaction: Uint8Array;
  linked: Uint8Array;
  token?: { decimals?: number; symbol?: string } | undefined;
}

/** The header and the chunks of SIGN_TX. */
export function transactionUpload(
  { account, genesis, transaction, linked, token }: TransactionRequest,
  chunkBytes = MAX_CHUNK,
): Uint8Array[] {
  const tail = token === undefined ? NOTHING : tokenTail(token);
  const header = [u32(account), genesis, u32(transaction.length), u32(linked.length), tail];
  return upload(INS_SIGN_TX, Buffer.concat(header), Buffer.concat([transaction, linked]), chunkBytes);
}

/** The header and the chunks of SIGN_MESSAGE. */
export function messageUpload(account: number, message: Uint8Array, chunkBytes = MAX_CHUNK): Uint8Array[] {
  return upload(INS_SIGN_MESSAGE, Buffer.concat([u32(account), u32(message.length)]), message, chunkBytes);
}

/** A chunk of SIGN_MESSAGE. */
export function messageChunk(bytes: Uint8Array): Uint8Array {
  return command(INS_SIGN_MESSAGE, P1_DATA, bytes);
}

function upload(ins: number, header: Uint8Array, data: Uint8Array, chunkBytes: number): Uint8Array[] {
  const count = Math.ceil(data.length / chunkBytes);
  const chunks = Array.from({ length: count }, (_, at) =>
    command(ins, P1_DATA, data.subarray(at * chunkBytes, (at + 1) * chunkBytes)),
  );
  return [command(ins, P1_HEADER, header), ...chunks];
}

function tokenTail({ decimals = UNKNOWN_DECIMALS, symbol = '' }: { decimals?: number; symbol?: string }) {
  return Buffer.concat([Buffer.of(decimals, symbol.length), Buffer.from(symbol, 'latin1')]);
}

function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
