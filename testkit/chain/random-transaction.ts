import type { Account } from '@zbc-signer/chain';
import { type SigningRequest, validTransactions } from '@zbc-signer/emulator/arbitrary';
import fc from 'fast-check';

/** Requests of every type that the device of the account `own` accepts; identical in every run. */
export function randomRequests(own: Account, count: number, seed: number): SigningRequest[] {
  return fc.sample(validTransactions(own), { numRuns: count, seed }).map(({ request }) => request);
}
