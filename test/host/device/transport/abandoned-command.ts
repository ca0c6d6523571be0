import type { Transport } from '@zbc-signer/host';

const LENGTH = 261;
const REPORT = 5;
const CANCELLATION = 6;

/**
 * Aborts a command of several reports before they are written, and exchanges another command. `headers`
 * returns the command byte and the sequence number of each written report; `reply` answers the other command.
 */
export async function expectRestBeforeNext(
  transport: Transport,
  headers: () => (readonly [command: number, sequence: number])[],
  reply: () => void,
): Promise<void> {
  const settle = () => new Promise(resolve => setImmediate(resolve));
  const abort = new AbortController();
  const long = transport.exchange(new Uint8Array(LENGTH), abort.signal);
  await settle();
  abort.abort();
  await expect(long).rejects.toMatchObject({ code: 'ABORTED' });
  const next = transport.exchange(Uint8Array.of(0xe0, 4, 0, 0, 0));
  while (headers().length < 7) await settle();
  // The 261 bytes and their length need five reports of 59 bytes. The cancellation and the next command need
  // one report each.
  expect(headers()).toEqual([
    ...[0, 1, 2, 3, 4].map(sequence => [REPORT, sequence]),
    [CANCELLATION, 0],
    [REPORT, 0],
  ]);
  reply();
  expect(await next).toEqual(Uint8Array.of(0x90, 0));
}
