import { cleanText, type ErrorFacts, ZbcSignerError } from '@zbc-signer/chain';
import { adviceOf, remedyOf } from '@zbc-signer/host/remedies';

/** Remedies in this program's own terms, by error code. */
const HINTS: Readonly<Record<string, string>> = {
  GATEWAY_UNREACHABLE:
    'Check the URL, and check that the gateway is running. `zbc-signer devnet` starts a local gateway.',
  GATEWAY_UNTRUSTED: 'If the certificate is correct, set NODE_EXTRA_CA_CERTS to the PEM file of its issuer.',
  WRONG_INTERFACE: 'List the signers with `zbc-signer devices`, and check the USB ids.',
  USER_REJECTED: 'Nothing was signed, and nothing was sent.',
  FEE_TOO_HIGH:
    'Compare the fee with that of another gateway before you set a higher --max-fee, or max_fee in config.json.',
  FEE_TOO_LOW: 'Omit --fee to pay the minimum.',
  ZERO_AMOUNT: 'To send an amount of 0, use --allow-zero. The fee is paid nevertheless.',
  FEE_IN_TOKEN: 'If the nodes accept fees in tokens, use --allow-fee-in-token.',
  WRONG_CHAIN: 'Check --api and --genesis.',
  INVALID_DOCUMENT:
    'Use the original document, without edits: `zbc-signer tx build` writes it, `tx sign` signs it, `tx submit` sends it.',
  TRANSACTION_POSTDATED:
    'Check the clock, and build the transaction again with `zbc-signer tx build`. Find out who changed the clock or the document.',
  TRANSACTION_EXPIRED: 'Build the transaction again with `zbc-signer tx build`.',
  NOT_THE_APPROVER: '`zbc-signer escrow list` lists the escrows that an account may decide.',
  UNSETTLED_PAYMENT:
    '`zbc-signer payments resume` settles the earlier payment. To pay nevertheless, use --pay-again.',
  UNKNOWN_TOKEN: '`zbc-signer balance` lists the token ids of an account.',
  CONTACT_EXISTS:
    'Use another name. --replace replaces the contact, once the device has approved the new one.',
  CONTACT_UNKNOWN:
    '`zbc-signer contact list` lists the contacts. Compare the address, and name it with `contact add NAME ADDRESS`.',
  CONTACT_PROOF:
    'Nothing was signed. Compare the address, then `zbc-signer contact add NAME ADDRESS --replace`.',
  CONTACT_REQUIRED:
    'Nothing was signed. Name the recipient and the approver with `zbc-signer contact add`, or change the setting: Settings, Contacts only, on the device.',
  DEVICE_UNTRUSTED:
    'Move what its accounts hold to a seed of another device. If it was caught, only --allow-withheld signs all the same.',
  SIGNATURE_WITHHELD:
    'Once may be a bad cable. If it happens again, move what the accounts hold to a seed of another device. From eight on, only --allow-withheld signs all the same.',
  // For these errors, the advice about the hash is sufficient.
  SUBMISSION_INTERRUPTED: '',
  BROADCAST_UNCERTAIN: '',
};

/** A remedy for an error in this program's terms; undefined if the error has none. */
export function hintOf(code: string, error: Error): string | undefined {
  const { facts = {}, hint } = error as { facts?: ErrorFacts; hint?: unknown };
  const own = Object.hasOwn(HINTS, code) ? HINTS[code] : undefined;
  const remedy = error instanceof ZbcSignerError ? remedyOf({ code: error.code, hint: error.hint }) : hint;
  const hash = facts.transactionHash ?? facts.earlierHash ?? 'HASH';
  const check = `zbc-signer status ${cleanText(`${hash}`)}`;
  const lookUp = `Look up the hash with \`${check}\`, preferably with --api for another gateway.`;
  const sentences = [inThisProgram(own ?? remedy), adviceOf(facts, lookUp)];
  const words = sentences.filter(words => typeof words === 'string' && words !== '');
  return words.length === 0 ? undefined : words.join(' ');
}

function inThisProgram(words: unknown): unknown {
  if (typeof words !== 'string') return words;
  return words
    .replace(
      'Plug it in and unlock it.',
      'Plug it in and unlock it, or name an emulator in ZBC_SIGNER_DEVICE.',
    )
    .replace('`zbc-signer udev-rules --install` as root', `\`${asRoot('udev-rules --install')}\``);
}

/**
 * A command line that runs this program as root. Its paths are absolute, because the PATH of root differs.
 */
export function asRoot(words: string): string {
  return `sudo ${process.execPath} ${process.argv[1]} ${words}`;
}
