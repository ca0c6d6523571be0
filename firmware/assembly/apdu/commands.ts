import {
  CLA_ECOSYSTEM,
  CLA_SIGNER,
  INS_GET_APP_NAME,
  INS_GET_APP_VERSION,
  INS_GET_PUBLIC_KEY,
  INS_REGISTER_CONTACT,
  INS_SIGN_MESSAGE,
  INS_SIGN_TX,
  P1_CHECK,
  P1_CONFIRM,
  P1_HEADER,
  P1_NONE,
  P1_REGISTER,
  P1_REVEAL,
  P2_APPROVER_CONTACT,
  P2_COMMITMENT,
  P2_NONE,
  P2_RECIPIENT_CONTACT,
} from '../../../protocol/src/commands';
import { Command } from '../handlers/command';
import { answerAppName } from '../handlers/get-app-name';
import { answerAppVersion } from '../handlers/get-app-version';
import { answerApprovedAddress, answerPublicKey } from '../handlers/get-public-key';
import { answerApprovedContact, answerRegisterContact } from '../handlers/register-contact';
import { reply } from '../handlers/reply';
import { REVIEW_ADDRESS, REVIEW_CONTACT, REVIEW_MESSAGE, REVIEW_TRANSACTION } from '../handlers/review';
import { answerApprovedMessage, answerSignMessage } from '../handlers/sign-message';
import { answerApprovedTransaction, answerSignTransaction } from '../handlers/sign-tx';

/** Options of the header of SIGN_TX. */
const OPTIONS = P2_RECIPIENT_CONTACT | P2_APPROVER_CONTACT | P2_COMMITMENT;

/**
 * Answers a command. Each row of this table has the class, instruction, greatest P1 and options of one
 * command, and the function that answers it.
 */
export function answer(command: Command): i32 {
  if (command.is(CLA_ECOSYSTEM, INS_GET_APP_NAME, P1_NONE, P2_NONE)) return answerAppName(command);
  if (command.is(CLA_SIGNER, INS_GET_APP_VERSION, P1_NONE, P2_NONE)) return answerAppVersion(command);
  if (command.is(CLA_SIGNER, INS_GET_PUBLIC_KEY, P1_CONFIRM, P2_NONE)) return answerPublicKey(command);
  if (command.is(CLA_SIGNER, INS_REGISTER_CONTACT, P1_CHECK, P2_NONE)) return answerRegisterContact(command);
  if (command.is(CLA_SIGNER, INS_SIGN_TX, P1_REVEAL, OPTIONS)) return answerSignTransaction(command);
  if (command.is(CLA_SIGNER, INS_SIGN_MESSAGE, P1_REVEAL, P2_COMMITMENT)) return answerSignMessage(command);
  return reply(command.status);
}

/** Returns whether a command ends what another channel has begun: a header, or a command with a review. */
export function takesOver(command: Command): bool {
  if (command.cla !== CLA_SIGNER) return false;
  if (command.ins === INS_SIGN_TX) return command.p1 === P1_HEADER && command.hasOptions(OPTIONS);
  if (command.ins === INS_SIGN_MESSAGE) return command.p1 === P1_HEADER && command.hasOptions(P2_COMMITMENT);
  if (command.p2 !== P2_NONE) return false;
  if (command.ins === INS_GET_PUBLIC_KEY) return command.p1 === P1_CONFIRM;
  return command.ins === INS_REGISTER_CONTACT && command.p1 === P1_REGISTER;
}

/** Calls the function that forms the reply to an approved review. */
export function answerApproval(review: u32): i32 {
  if (review === REVIEW_ADDRESS) return answerApprovedAddress();
  if (review === REVIEW_TRANSACTION) return answerApprovedTransaction();
  if (review === REVIEW_MESSAGE) return answerApprovedMessage();
  if (review === REVIEW_CONTACT) return answerApprovedContact();
  unreachable();
  return 0;
}
