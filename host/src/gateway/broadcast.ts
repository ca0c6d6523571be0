import {
  type Escrow,
  encodeAccount,
  encodeBody,
  TRANSACTION_VERSION,
  type Transaction,
  toHex,
  ZbcSignerError,
} from '@zbc-signer/chain';

/** The escrow instruction is not UTF-8, which a broadcast in JSON requires. */
function instructionEncodingError(): ZbcSignerError {
  return new ZbcSignerError(
    'INSTRUCTION_NOT_UTF8',
    'the escrow instruction is not UTF-8, which the broadcast requires',
  );
}

/** Throws `INSTRUCTION_NOT_UTF8` for a transaction that could be signed but not broadcast. */
export function checkBroadcastable({ escrow }: Transaction): void {
  if (escrow) decodeInstruction(escrow.instruction);
}

/** The JSON body of a broadcast. Amounts and times are bigint. */
export function broadcastRequest(transaction: Transaction, signature: Uint8Array): Record<string, unknown> {
  const { type, timestamp, sender, recipient, fee, escrow, message } = transaction;
  return {
    version: TRANSACTION_VERSION,
    timestamp,
    transaction_type: type,
    fee,
    sender_account_address: toHex(encodeAccount(sender)),
    recipient_account_address: toHex(encodeAccount(recipient)),
    transaction_body_bytes: toHex(encodeBody(transaction)),
    signature: toHex(signature),
    ...(message.length > 0 && { message_hex: toHex(message) }),
    ...(escrow && { escrow: escrowFields(escrow) }),
  };
}

/** Omits `instruction` if it is empty, and `multi_party` if it is false. */
function escrowFields({ approver, commission, timeout, instruction, multiParty }: Escrow) {
  return {
    approver_address: toHex(encodeAccount(approver)),
    commission,
    timeout,
    ...(instruction.length > 0 && { instruction: decodeInstruction(instruction) }),
    ...(multiParty && { multi_party: true }),
  };
}

function decodeInstruction(instruction: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(instruction);
  } catch {
    throw instructionEncodingError();
  }
}
