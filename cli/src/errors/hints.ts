const LOOK_UP = (hash: string) => `Check with \`zbc-signer status ${hash}\` before sending again.`;

/** Remedies that name a command of this program, by the error's code; some need the transaction's hash. */
const HINTS: Readonly<Record<string, (hash: string) => string>> = {
  GATEWAY_UNREACHABLE: () =>
    'Check the URL and that the gateway is running; `zbc-signer devnet` starts a local one.',
  GATEWAY_UNTRUSTED: () =>
    'If the certificate is right, set NODE_EXTRA_CA_CERTS to the PEM file of its issuer.',
  WRONG_INTERFACE: () => 'List the signers with `zbc-signer devices`, and check the USB ids.',
  USER_REJECTED: () => 'Nothing was signed, and nothing was sent.',
  FEE_TOO_HIGH: () => 'Compare with another gateway before raising it with --max-fee.',
  FEE_TOO_LOW: () => 'Leave --fee out to pay the minimum.',
  ZERO_AMOUNT: () => 'Allow it with --allow-zero; it still costs the fee.',
  WRONG_CHAIN: () => 'Check --api and --genesis.',
  INVALID_DOCUMENT: () => '`zbc-signer tx build` makes a document, `tx sign` signs it, `tx submit` sends it.',
  TRANSACTION_POSTDATED: () =>
    'Compare the clock, build it again with `zbc-signer tx build`, and ask who changed it.',
  TRANSACTION_EXPIRED: () => 'Build it again with `zbc-signer tx build`.',
  NOT_THE_APPROVER: () => '`zbc-signer escrow list` lists the escrows that an account may decide.',
  DUPLICATE_TRANSACTION: hash =>
    `See \`zbc-signer status ${hash}\`. To pay once more, send again: the timestamp will differ.`,
  UNKNOWN_TOKEN: () => '`zbc-signer balance` lists the token ids of an account.',
  SUBMISSION_INTERRUPTED: LOOK_UP,
  BROADCAST_UNCERTAIN: LOOK_UP,
  NOT_CONFIRMED: hash => `It may still confirm; check with \`zbc-signer status ${hash}\`.`,
};

/** The remedy in words of this program; undefined for one that has no better words than the library's. */
export function ownHint(code: string, facts: unknown): string | undefined {
  if (!Object.hasOwn(HINTS, code)) return undefined;
  return HINTS[code]?.(String(Reflect.get(Object(facts), 'transactionHash')));
}
