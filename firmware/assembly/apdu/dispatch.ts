import {
  INS_GET_APP_NAME,
  INS_GET_APP_VERSION,
  INS_GET_PUBLIC_KEY,
  P1_CONFIRM,
  P1_DATA,
} from '../../../protocol/commands';
import { BUSY, OK } from '../../../protocol/status-words';
import { answerAppName } from '../handlers/get-app-name';
import { answerAppVersion } from '../handlers/get-app-version';
import { answerPublicKey } from '../handlers/get-public-key';
import { reply } from '../handlers/reply';
import { apduBuffer, session, upload } from '../session';
import { Command, parseCommand } from './command';
import { answerPart } from './receive';

const command: Command = changetype<Command>(memory.data(offsetof<Command>(), 8));

/** Answers the `length` bytes in the APDU buffer: the length of the reply, or 0 while the user decides. */
export function dispatch(length: i32): i32 {
  if (session.reviewing !== 0) return reply(BUSY);
  const status = parseCommand(apduBuffer, length, command);
  if (status !== OK || command.p1 !== P1_DATA || command.ins !== upload.ins) upload.drop();
  return status === OK ? answer() : reply(status);
}

function answer(): i32 {
  switch (command.ins) {
    case INS_GET_APP_NAME:
      return answerAppName(command.length);
    case INS_GET_APP_VERSION:
      return answerAppVersion(command.length);
    case INS_GET_PUBLIC_KEY:
      return answerPublicKey(command.data, command.length, command.p1 === P1_CONFIRM);
    default:
      return answerPart(command);
  }
}
