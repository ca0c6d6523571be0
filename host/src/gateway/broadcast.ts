import {
  type Escrow,
  encodeAccount,
  encodeBody,
  TRANSACTION_VERSION,
  type Transaction,
  toHex,
} from '../../../chain/src/index.js';
import { SignerError } from '../errors.js';

/** The instruction travels as a JSON string, so it has to be UTF-8; anything else could not be rebuilt by a node. */
export class InstructionEncodingError extends SignerError {
  constructor() {
    super(
      'INSTRUCTION_NOT_UTF8',
      'the escrow instruction is not UTF-8 text, which the broadcast cannot carry',
    );
  }
}

/** Throws InstructionEncodingError for what could be signed but not broadcast: so it is asked before the person is. */
export function checkBroadcastable({ escrow }: Transaction): void {
  if (escrow) decodeInstruction(escrow.instruction);
}

/** The named fields of interface.md "Broadcast request"; amounts and times stay bigint. */
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

/** What interface.md does not list, `instruction` and `multi_party`, is sent only when it says something. */
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
    throw new InstructionEncodingError();
  }
}
