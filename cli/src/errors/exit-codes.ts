/** The exit codes of the process; `--help` and the documentation list the same codes. */
export const EXIT_CODES = [
  { name: 'ok', code: 0, meaning: 'done' },
  { name: 'unexpected', code: 1, meaning: 'unexpected error: a bug' },
  { name: 'usage', code: 2, meaning: 'invalid option, address, amount, transaction or file' },
  { name: 'noDevice', code: 3, meaning: 'no device, or the connection to it failed' },
  { name: 'rejected', code: 4, meaning: 'the user, or a setting of the device, rejected the request' },
  { name: 'refused', code: 5, meaning: 'the device refused the request, or runs another app' },
  { name: 'locked', code: 6, meaning: 'the device is locked' },
  { name: 'busy', code: 7, meaning: 'the device is busy with another review' },
  { name: 'noGateway', code: 8, meaning: 'the gateway is unreachable, overloaded or disconnected' },
  {
    name: 'gatewayRefused',
    code: 9,
    meaning: 'the gateway refused the request, or sent an invalid response',
  },
  {
    name: 'wrongChain',
    code: 10,
    meaning: 'wrong chain, or a node whose signing rules are too old or unknown',
  },
  {
    name: 'integrity',
    code: 11,
    meaning: 'a hash or signature does not match, or a file was never published: possible tampering',
  },
  {
    name: 'notConfirmed',
    code: 12,
    meaning: 'this payment or an earlier payment was broadcast but not confirmed in time',
  },
  { name: 'insufficient', code: 13, meaning: 'insufficient balance' },
  {
    name: 'notFound',
    code: 14,
    meaning: 'the gateway does not know the transaction, token or other record, or has no faucet',
  },
  { name: 'altered', code: 15, meaning: 'the gateway reported a different hash from the one signed' },
  {
    name: 'nonconforming',
    code: 16,
    meaning: 'a conformance test, trace, snapshot or coverage check failed',
  },
  { name: 'outputLost', code: 17, meaning: 'the result could not be written to standard output' },
  { name: 'interrupted', code: 130, meaning: 'interrupted' },
] as const;

export type ExitName = (typeof EXIT_CODES)[number]['name'];

export function isExitName(value: unknown): value is ExitName {
  return EXIT_CODES.some(({ name }) => name === value);
}

export function exitCode(name: ExitName): number {
  return EXIT_CODES.find(row => row.name === name)!.code;
}
