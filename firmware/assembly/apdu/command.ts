import {
  CLA_ECOSYSTEM,
  CLA_SIGNER,
  INS_GET_APP_NAME,
  INS_GET_APP_VERSION,
  INS_GET_PUBLIC_KEY,
  INS_SIGN_MESSAGE,
  INS_SIGN_TX,
} from '../../../protocol/commands';
import { APDU_HEADER } from '../../../protocol/limits';
import {
  CLA_NOT_SUPPORTED,
  INS_NOT_SUPPORTED,
  OK,
  WRONG_LENGTH,
  WRONG_P1P2,
} from '../../../protocol/status-words';

/** A short APDU whose class, instruction and parameters are known; `data` points into the APDU buffer. */
@unmanaged
export class Command {
  ins: i32;
  p1: i32;
  data: usize;
  length: i32;
}

/** Reads the `length` bytes at `buffer` into `command`; OK, or the status word that answers them (signer-protocol §1.4). */
export function parseCommand(buffer: usize, length: i32, command: Command): i32 {
  if (length < APDU_HEADER || <i32>load<u8>(buffer, 4) !== length - APDU_HEADER) return WRONG_LENGTH;
  const cla: i32 = load<u8>(buffer);
  command.ins = load<u8>(buffer, 1);
  command.p1 = load<u8>(buffer, 2);
  command.data = buffer + APDU_HEADER;
  command.length = length - APDU_HEADER;
  const p2: i32 = load<u8>(buffer, 3);
  if (cla !== CLA_SIGNER && cla !== CLA_ECOSYSTEM) return CLA_NOT_SUPPORTED;
  if ((cla === CLA_ECOSYSTEM) !== (command.ins === INS_GET_APP_NAME)) return INS_NOT_SUPPORTED;
  const last = lastP1(command.ins);
  if (last < 0) return INS_NOT_SUPPORTED;
  return command.p1 > last || p2 !== 0 ? WRONG_P1P2 : OK;
}

/** The greatest P1 that an instruction takes, or −1 for an unknown instruction. */
function lastP1(ins: i32): i32 {
  if (ins === INS_GET_APP_NAME || ins === INS_GET_APP_VERSION) return 0;
  if (ins === INS_GET_PUBLIC_KEY || ins === INS_SIGN_TX || ins === INS_SIGN_MESSAGE) return 1;
  return -1;
}
