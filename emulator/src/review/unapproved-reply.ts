import { formatStatusWord, statusWordOf } from '@zbc-signer/chain';
import {
  INS_GET_PUBLIC_KEY,
  INS_REGISTER_CONTACT,
  INS_SIGN_MESSAGE,
  INS_SIGN_TX,
  P1_CONFIRM,
  P1_DATA,
  P1_REGISTER,
} from '@zbc-signer/protocol/commands';
import { ADDRESS_LENGTH, PUBLIC_KEY_LENGTH } from '@zbc-signer/protocol/limits';
import { OK } from '@zbc-signer/protocol/status-words';

const STATUS_LENGTH = 2;
/** The last P1 of the commands that need an approval. */
const NEEDS_APPROVAL: Readonly<Record<number, number>> = {
  [INS_GET_PUBLIC_KEY]: P1_CONFIRM,
  [INS_SIGN_TX]: P1_DATA,
  [INS_SIGN_MESSAGE]: P1_DATA,
  [INS_REGISTER_CONTACT]: P1_REGISTER,
};

/** Whether a reply without a review has data that only an approval may release (docs/APDU.md#commands). */
export function isUnapproved([, ins = 0, p1]: Uint8Array, reply: Uint8Array): boolean {
  return NEEDS_APPROVAL[ins] === p1 && statusWordOf(reply) === OK && reply.length > STATUS_LENGTH;
}

/** The verdict about a reply that came before the user's decision. */
export function describeUnapproved(subject: string, reply: Uint8Array): string {
  const isAddress = reply.length === PUBLIC_KEY_LENGTH + ADDRESS_LENGTH + STATUS_LENGTH;
  const act = isAddress ? 'released the address' : 'signed';
  const status = statusWordOf(reply);
  return `${subject} ${status === OK ? act : `answered ${formatStatusWord(status)}`} before both buttons were pressed`;
}
