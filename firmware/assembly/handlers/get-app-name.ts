import { FIRMWARE_VERSION } from '../../../protocol/src/commands';
import { OK, WRONG_LENGTH } from '../../../protocol/src/status-words';
import { apduBuffer } from '../session';
import { Command } from './command';
import { reply, replyData } from './reply';

const FORMAT = 1;

/** Answers "get app and version" of the Ledger ecosystem: format, name, version, and one byte of flags. */
export function answerAppName(command: Command): i32 {
  if (command.length !== 0) return reply(WRONG_LENGTH);
  store<u8>(apduBuffer, FORMAT);
  let end = putString(1, 'ZBC Signer');
  end = putString(end, FIRMWARE_VERSION);
  store<u8>(apduBuffer + end, 1);
  store<u8>(apduBuffer + end, 0, 1);
  return replyData(end + 2, OK);
}

/** Appends a length byte and the ASCII characters at offset `at` of the reply. Returns the new length. */
function putString(at: i32, text: string): i32 {
  store<u8>(apduBuffer + at, text.length);
  for (let i = 0; i < text.length; i++) store<u8>(apduBuffer + at + 1 + i, text.charCodeAt(i));
  return at + 1 + text.length;
}
