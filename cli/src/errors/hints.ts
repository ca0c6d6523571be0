const LOOK_UP = (hash: string) => `Check with \`zbc-signer status ${hash}\` before sending again.`;

/** Remedies that name a command of this program, by the error's code; some need the transaction's hash. */
const HINTS: Readonly<Record<string, (hash: string) => string>> = {
  GATEWAY_UNREACHABLE: () =>
    'Check the URL and that the gateway is running; `zbc-signer devnet` starts a local one.',
  GATEWAY_UNTRUSTED: () =>
    'If the certificate is right, set NODE_EXTRA_CA_CERTS to the PEM file of its issuer.',
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
