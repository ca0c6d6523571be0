// Builds commands as docs/APDU.md#commands describes them, so that tests of the firmware do not depend on the
// host library.

import { u32 } from '../crypto/little-endian.js';
import type { TransactionCase } from '../repository/vectors.js';

export type Exchange = (apdu: Uint8Array) => Promise<Uint8Array>;

export interface Reply {
  /** Status word in four upper-case hex digits. */
  status: string;
  data: Buffer;
}

/** Builds an APDU: E0, INS, P1, 00, Lc, data. */
export function apdu(ins: number, p1 = 0, data: Uint8Array = new Uint8Array()): Uint8Array {
  return Buffer.concat([Buffer.of(0xe0, ins, p1, 0, data.length), data]);
}

/** Returns whether a command is a chunk or REVEAL. */
export const isContinuation = ([, ins, p1 = 0]: Uint8Array): boolean =>
  (ins === 0x06 || ins === 0x07) && (p1 === 1 || p1 === 2);

export const GET_APP_VERSION = apdu(0x03);

export const getPublicKey = (account: number, confirm = false): Uint8Array =>
  apdu(0x05, confirm ? 1 : 0, u32(account));

/** Returns the APDUs of SIGN_TX in order: the header, and the chunks of the data. */
export function signTransaction(request: Omit<TransactionCase, 'name' | 'expect'>): Uint8Array[] {
  const transaction = Buffer.from(request.tx, 'hex');
  const linked = Buffer.from(request.linked ?? '', 'hex');
  const header = [
    u32(request.account),
    Buffer.from(request.genesis, 'hex'),
    u32(transaction.length),
    u32(linked.length),
    tokenTail(request.token),
  ];
  return upload(0x06, Buffer.concat(header), Buffer.concat([transaction, linked]));
}

/** Returns the APDUs of SIGN_MESSAGE in order: the header, and the chunks of the message. */
export function signMessage(account: number, message: Uint8Array): Uint8Array[] {
  return upload(0x07, Buffer.concat([u32(account), u32(message.length)]), message);
}

/**
 * Sends commands in order. Stops at the first reply that has data or a status other than 9000, and returns
 * it.
 */
export async function send(exchange: Exchange, apdus: Uint8Array[]): Promise<Reply> {
  let reply: Reply = { status: '9000', data: Buffer.alloc(0) };
  for (const command of apdus) {
    reply = splitReply(await exchange(command));
    if (reply.status !== '9000') break;
  }
  return reply;
}

export function splitReply(bytes: Uint8Array): Reply {
  const reply = Buffer.from(bytes);
  return { status: reply.subarray(-2).toString('hex').toUpperCase(), data: reply.subarray(0, -2) };
}

function upload(ins: number, header: Buffer, data: Uint8Array): Uint8Array[] {
  const apdus = [apdu(ins, 0, header)];
  for (let at = 0; at < data.length; at += 255) apdus.push(apdu(ins, 1, data.subarray(at, at + 255)));
  return apdus;
}

function tokenTail(token: TransactionCase['token']): Buffer {
  if (!token) return Buffer.alloc(0);
  const symbol = Buffer.from(token.symbol ?? '', 'ascii');
  return Buffer.concat([Buffer.of(token.decimals ?? 0xff, symbol.length), symbol]);
}
