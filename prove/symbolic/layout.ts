// Finds addresses of the parser's memory in the module's own code, and repeats fields of its classes from the
// sources (firmware/assembly/transaction/transaction.ts, account.ts). If one of them is wrong, the proofs
// fail.
import { functionIndex, numbersIn, type WasmModule } from '../wasm/module.js';

/** Offsets within a transaction. */
export const FIELDS = {
  timestamp: 0,
  fee: 8,
  amount: 16,
  tokenId: 24,
  commission: 32,
  timeout: 40,
  type: 48,
  feeInToken: 52,
  approval: 56,
  escrowHash: 60,
  hasEscrow: 64,
  multiParty: 65,
  instruction: 68,
  instructionLength: 72,
  message: 76,
  messageLength: 80,
  sender: 84,
  recipient: 104,
  approver: 124,
};
/** The possible values of some fields in accepted transactions. */
export const ACCEPTED: Readonly<Record<string, readonly number[]>> = {
  type: [1, 4, 11],
  feeInToken: [0, 1, 2],
  approval: [0, 1],
  hasEscrow: [0, 1],
  multiParty: [0, 1],
};
export const TRANSACTION_SIZE = 144;
/** Offset of the payload in an account. */
export const PAYLOAD = 4;
export const PAYLOAD_LENGTH = 8;
/** Offsets of the checked name of an account, and of its length. */
export const NAME = 12;
export const NAME_LENGTH = 16;

/** Offsets within the cursor. */
export const CURSOR = { position: 4, end: 8, status: 20 };
export const CURSOR_SIZE = 36;

export const OWN_ACCOUNT_LENGTH = 36;
export const HASH_LENGTH = 32;
export const SPONGE_LENGTH = 200;
export const KINDS = 17;

export interface Layout {
  received: number;
  transactionLength: number;
  linkedLength: number;
  cursor: number;
  payload: number;
  transaction: number;
  linked: number;
  hash: number;
  /** The state of the hash function. */
  sponge: number;
  ownAccount: number;
  /** Addresses of a review's account index and genesis hash. */
  account: number;
  genesis: number;
  /** Payload lengths of accounts by kind. */
  kinds: number;
}

function code(module: WasmModule, name: string) {
  return module.functions[functionIndex(module, name)]!.code;
}

/** Returns the constant that a function passes to another as its last parameter. */
function lastParameter(module: WasmModule, caller: string, called: string): number {
  const body = code(module, caller);
  const index = functionIndex(module, called);
  const at = body.findIndex(each => each.op === 'call' && each.index === index);
  return Number(body[at - 1]!.value);
}

export function readLayout(module: WasmModule): Layout {
  const [received, transactionLength, linkedLength, cursor, payload] = numbersIn(module, 'sign-tx/formItems');
  const [ownAccount] = numbersIn(module, 'parseSender');
  const recipient = code(module, 'parseRecipient');
  const table = recipient.findIndex(
    ({ op }, at) => op === 'i32.load8_u' && recipient[at - 1]!.op === 'i32.add',
  );
  const linked = code(module, 'parseLinked');
  const fill = linked.findIndex(({ op }) => op === 'memory.fill');
  return {
    received: received!,
    transactionLength: transactionLength!,
    linkedLength: linkedLength!,
    cursor: cursor!,
    payload: payload!,
    transaction: lastParameter(module, 'sign-tx/formItems', 'parseFields'),
    linked: lastParameter(module, 'parseLinked', 'parseFields'),
    hash: lastParameter(module, 'parseLinked', 'sha3Final'),
    sponge: Number(linked[fill - 3]!.value),
    ownAccount: ownAccount!,
    account: transactionLength! - 12,
    genesis: ownAccount! - HASH_LENGTH,
    kinds: Number(recipient[table - 2]!.value) + recipient[table]!.offset,
  };
}
