import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import { within } from '../base/within.js';
import type { Cancellation } from '../upstream/cancellation.js';

/** Time limit of a resolution. With that of a check, it is below the time in which a dead node is noticed. */
const MAX_RESOLVE_MS = 1000;

/**
 * Resolves a name as other programs of the machine do, so that `/etc/hosts` and search domains count. Returns
 * its addresses, IPv4 first, in the same order each time; an empty array if there are none in time.
 */
export async function resolveHost(host: string, cancellation: Cancellation): Promise<LookupAddress[]> {
  const found = dns.lookup(host, { all: true }).catch(() => []);
  const cancelled = new Promise<LookupAddress[]>(resolve => cancellation.ends(() => resolve([])));
  const addresses = await within(MAX_RESOLVE_MS, Promise.race([found, cancelled]), () => []);
  return addresses.sort((one, other) => one.family - other.family || (one.address < other.address ? -1 : 1));
}
