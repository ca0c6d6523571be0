import { KIND_ZBC, signingDigest, transactionHash, verify } from '../../../chain/src/index.js';
import { ACCOUNT } from '../../../protocol/limits.js';
import { ValidationError } from '../errors.js';
import type { Broadcast, BroadcastEscrow } from './broadcast.js';
import { text, u8, u32, u64 } from './bytes.js';

const NO_ESCROW = u32(2);
const ZBC_ACCOUNT = u32(KIND_ZBC);

/** The 11 fields as they were signed (interface.md "Unsigned transaction"), of whatever the broadcast says. */
export function encodeEnvelope(broadcast: Broadcast): Uint8Array {
  const { version, timestamp, type, fee, sender, recipient, body, message, escrow } = broadcast;
  return Buffer.concat([
    u32(type),
    u8(version),
    u64(timestamp),
    sender,
    recipient,
    u64(fee),
    u32(body.length),
    body,
    escrow ? encodeEscrow(escrow) : NO_ESCROW,
    u32(message.length),
    message,
  ]);
}

function encodeEscrow({ approver, commission, timeout, instruction, multiParty }: BroadcastEscrow) {
  return Buffer.concat([
    approver,
    u64(commission),
    u64(timeout),
    text(instruction),
    u8(multiParty ? 1n : 0n),
  ]);
}

/** Throws the one error that stands for every wrong byte (interface.md "Errors"). */
export function checkSignature(genesisHash: Uint8Array, broadcast: Broadcast): void {
  const { sender, signature } = broadcast;
  const digest = signingDigest(genesisHash, encodeEnvelope(broadcast));
  if (!isZbcAccount(sender) || !verify(signature, digest, sender.subarray(ZBC_ACCOUNT.length))) {
    throw new ValidationError('Invalid transaction signature');
  }
}

function isZbcAccount(account: Uint8Array): boolean {
  return account.length === ACCOUNT && ZBC_ACCOUNT.every((byte, at) => account[at] === byte);
}

/** Expects a broadcast whose signature was checked. */
export function hashBroadcast(broadcast: Broadcast): Uint8Array {
  return transactionHash(encodeEnvelope(broadcast), broadcast.signature);
}
