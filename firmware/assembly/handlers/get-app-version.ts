import {
  FIRMWARE_MAJOR,
  FIRMWARE_MINOR,
  FIRMWARE_PATCH,
  FLAG_LOCKED,
  FLAG_REFUSES_UNKNOWN_CHAINS,
  PROTOCOL_VERSION,
} from '../../../protocol/commands';
import { MAX_INSTRUCTION, MAX_MESSAGE, MAX_TRANSACTION } from '../../../protocol/limits';
import { OK, WRONG_LENGTH } from '../../../protocol/status-words';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '../../../protocol/transaction-types';
import { apduBuffer } from '../session';
import { isLocked } from './key';
import { reply, replyData } from './reply';
import { refusesUnknownChains } from './settings';

/** Answers GET_APP_VERSION (signer-protocol §1.1). */
export function answerAppVersion(length: i32): i32 {
  if (length !== 0) return reply(WRONG_LENGTH);
  const flags = (refusesUnknownChains() ? FLAG_REFUSES_UNKNOWN_CHAINS : 0) | (isLocked() ? FLAG_LOCKED : 0);
  store<u8>(apduBuffer, PROTOCOL_VERSION);
  store<u8>(apduBuffer, FIRMWARE_MAJOR, 1);
  store<u8>(apduBuffer, FIRMWARE_MINOR, 2);
  store<u8>(apduBuffer, FIRMWARE_PATCH, 3);
  store<u8>(apduBuffer, flags, 4);
  store<u32>(apduBuffer, MAX_TRANSACTION, 5);
  store<u32>(apduBuffer, MAX_MESSAGE, 9);
  store<u32>(apduBuffer, MAX_INSTRUCTION, 13);
  store<u8>(apduBuffer, 3, 17);
  store<u32>(apduBuffer, SEND_ZBC, 18);
  store<u32>(apduBuffer, APPROVAL_ESCROW, 22);
  store<u32>(apduBuffer, TRANSFER_TOKEN, 26);
  return replyData(30, OK);
}
