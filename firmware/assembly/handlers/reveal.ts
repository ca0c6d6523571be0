import { COMMITMENT_LENGTH, NONCE_POINT_LENGTH } from '../../../protocol/src/limits';
import { REVEAL_MISMATCH } from '../../../protocol/src/refusal-reasons';
import { BAD_STATE, MALFORMED, OK, WRONG_LENGTH } from '../../../protocol/src/status-words';
import { wipe } from '../crypto/crypto';
import { apduBuffer, commitment, link, session, upload } from '../session';
import { Command } from './command';
import { commitAs, signRevealedAs } from './key';
import { reply, replyData, replyHeaderRefusal } from './reply';
import { AWAITS_REVEAL } from './review';

/**
 * Replies to an approval of an instruction whose header had a commitment: with the point of the nonce for these
 * bytes. The session then waits for REVEAL on the channel of the approved command.
 */
export function answerCommitted(ins: i32, message: usize, length: i32): i32 {
  const status = commitAs(session.account, apduBuffer, message, length);
  if (status !== OK) return reply(status);
  memory.copy(commitment, apduBuffer, NONCE_POINT_LENGTH);
  session.reviewing = AWAITS_REVEAL;
  upload.awaitReveal(ins);
  link.owner = link.pending;
  return replyData(NONCE_POINT_LENGTH, OK);
}

/** Ends the wait for REVEAL. Returns 0, or the length of the reply that refuses the command. */
export function takeReveal(command: Command): i32 {
  if (command.isAside || session.reviewing !== AWAITS_REVEAL) return refuse(command, BAD_STATE);
  upload.drop();
  return command.length === COMMITMENT_LENGTH ? 0 : refuse(command, WRONG_LENGTH);
}

/**
 * Signs the approved bytes with the nonce to which the data of REVEAL contributes. Returns 0 if the signature is in
 * the APDU buffer, or the length of the reply that refuses the command.
 */
export function signWith(command: Command, message: usize, length: i32): i32 {
  const status = signRevealedAs(session.account, apduBuffer, message, length, command.data);
  return status === OK ? 0 : refuse(command, status);
}

/** Refuses REVEAL and erases its data. */
function refuse(command: Command, status: i32): i32 {
  wipe(command.data, command.length);
  return status === MALFORMED ? replyHeaderRefusal(status, 0, REVEAL_MISMATCH) : reply(status);
}
