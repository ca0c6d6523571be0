import * as apdus from '../../../testkit/device/apdu.js';
import { accounts, type TransactionCase } from '../../../testkit/repository/vectors.js';

/** Commands and the replies to them, in hex. */
type Script = [command: string, reply: string][];

export const OK = '9000';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

export function u32(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return hex(bytes);
}

/** Returns the command `E0 INS P1 00 Lc data` (docs/APDU.md#commands), all in hex. */
export function command(ins: string, p1: string, data: string): string {
  return hex(apdus.apdu(Number.parseInt(ins, 16), Number.parseInt(p1, 16), Buffer.from(data, 'hex')));
}

/**
 * Returns the reply with protocol 1, firmware 1.0.0, these flags, no limits and no types
 * (docs/APDU.md#get_app_version).
 */
export function versionReply(flags = 0): string {
  return `01010000${flags.toString(16).padStart(2, '0')}${'00'.repeat(13)}${OK}`;
}

export function publicKeyReply(account: number): string {
  const { public_key, address } = accounts.cases.find(known => known.account === account)!;
  return public_key + hex(Buffer.from(address, 'ascii')) + OK;
}

export function getPublicKey(account: number): Script {
  return [[hex(apdus.getPublicKey(account)), publicKeyReply(account)]];
}

/**
 * Returns the script of signing the transaction of a case. Its last reply is `result`, by default the
 * vector's.
 */
export function signTransaction(vector: TransactionCase, result = resultOf(vector)): Script {
  return [...getPublicKey(vector.account), ...answered(apdus.signTransaction(vector), result)];
}

/** Returns the script of signing a message. Its last reply is `result`. */
export function signMessage(account: number, message: Uint8Array, result: string): Script {
  return [...getPublicKey(account), ...answered(apdus.signMessage(account, message), result)];
}

function resultOf({ expect: { signature, tx_hash } }: TransactionCase): string {
  return signature + tx_hash + OK;
}

/** Returns a script in which every command gets 9000, except the last, which gets `result`. */
function answered(commands: Uint8Array[], result: string): Script {
  return commands.map((bytes, at) => [hex(bytes), at === commands.length - 1 ? result : OK]);
}
