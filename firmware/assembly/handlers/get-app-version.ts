import {
  FIRMWARE_MAJOR,
  FIRMWARE_MINOR,
  FIRMWARE_PATCH,
  FLAG_CONTACTS_ONLY,
  FLAG_LOCKED,
  FLAG_REFUSES_UNKNOWN_CHAINS,
  PROTOCOL_VERSION,
} from '../../../protocol/src/commands';
import { MAX_INSTRUCTION, MAX_MESSAGE, MAX_TRANSACTION } from '../../../protocol/src/limits';
import { OK, WRONG_LENGTH } from '../../../protocol/src/status-words';
import { apduBuffer } from '../session';
import { TYPE_COUNT, typeAt } from '../transaction/body';
import { Command } from './command';
import { isLocked } from './key';
import { reply, replyData } from './reply';
import { paysContactsOnly, refusesUnknownChains } from './settings';

/** Offset of the ids of the supported transaction types, which follow the number of types. */
const TYPES_AT = 18;

/** Answers GET_APP_VERSION (docs/APDU.md#get_app_version). */
export function answerAppVersion(command: Command): i32 {
  if (command.length !== 0) return reply(WRONG_LENGTH);
  const flags =
    (refusesUnknownChains() ? FLAG_REFUSES_UNKNOWN_CHAINS : 0) |
    (isLocked() ? FLAG_LOCKED : 0) |
    (paysContactsOnly() ? FLAG_CONTACTS_ONLY : 0);
  store<u8>(apduBuffer, PROTOCOL_VERSION);
  store<u8>(apduBuffer, FIRMWARE_MAJOR, 1);
  store<u8>(apduBuffer, FIRMWARE_MINOR, 2);
  store<u8>(apduBuffer, FIRMWARE_PATCH, 3);
  store<u8>(apduBuffer, flags, 4);
  store<u32>(apduBuffer, MAX_TRANSACTION, 5);
  store<u32>(apduBuffer, MAX_MESSAGE, 9);
  store<u32>(apduBuffer, MAX_INSTRUCTION, 13);
  store<u8>(apduBuffer, TYPE_COUNT, TYPES_AT - 1);
  for (let i = 0; i < TYPE_COUNT; i++) store<u32>(apduBuffer + 4 * i, typeAt(i), TYPES_AT);
  return replyData(TYPES_AT + 4 * TYPE_COUNT, OK);
}
