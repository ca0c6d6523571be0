import type { Account } from '@zbc-signer/chain';
import { type SigningRequest, validTransactions } from '@zbc-signer/emulator/arbitrary';
import fc from 'fast-check';

/**
 * Returns requests of every type that the device with the account `own` accepts. The same arguments give the
 * same requests in every run.
 */
export function randomRequests(own: Account, count: number, seed: number): SigningRequest[] {
  return fc.sample(validTransactions(own), { numRuns: count, seed }).map(({ request }) => request);
}
