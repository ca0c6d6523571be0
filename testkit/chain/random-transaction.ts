import { type SigningRequest, validTransactions } from '@zbc-signer/emulator/arbitrary';
import fc from 'fast-check';

/**
 * Returns requests of every type that account 0 of the test mnemonic accepts. The same arguments give the same
 * requests in every run.
 */
export function randomRequests(count: number, seed: number): SigningRequest[] {
  return fc.sample(validTransactions(), { numRuns: count, seed }).map(({ request }) => request);
}
