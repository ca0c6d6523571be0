/** What the process's exit code says, one row a code; `--help` and the README list the same. */
export const EXIT_CODES = [
  { name: 'ok', code: 0, meaning: 'done' },
  { name: 'unexpected', code: 1, meaning: 'an unexpected error: a bug' },
  { name: 'usage', code: 2, meaning: 'an option, address, amount, transaction or file is not right' },
  { name: 'noDevice', code: 3, meaning: 'no device, or the transport to it failed' },
  { name: 'rejected', code: 4, meaning: 'the user rejected on the device' },
  { name: 'refused', code: 5, meaning: 'the device refused, or runs another app' },
  { name: 'locked', code: 6, meaning: 'the device is locked' },
  { name: 'busy', code: 7, meaning: 'the device is busy with another review' },
  { name: 'noGateway', code: 8, meaning: 'no gateway, or it is overloaded or went away' },
  { name: 'gatewayRefused', code: 9, meaning: 'the gateway refused, or its answer makes no sense' },
  { name: 'wrongChain', code: 10, meaning: 'another chain, or a node too old to sign for' },
  {
    name: 'integrity',
    code: 11,
    meaning: 'a hash or signature does not match, or was never published: something was altered',
  },
  { name: 'notConfirmed', code: 12, meaning: 'broadcast, but not confirmed in time' },
  { name: 'insufficient', code: 13, meaning: 'the account cannot spend that much' },
  {
    name: 'notFound',
    code: 14,
    meaning: 'the chain does not know that transaction, token, block or market, or has no relay',
  },
  {
    name: 'altered',
    code: 15,
    meaning: 'the gateway reports another hash than was signed: an alarm',
  },
  { name: 'interrupted', code: 130, meaning: 'interrupted' },
] as const;

export type ExitName = (typeof EXIT_CODES)[number]['name'];

export function exitCode(name: ExitName): number {
  return EXIT_CODES.find(row => row.name === name)!.code;
}
