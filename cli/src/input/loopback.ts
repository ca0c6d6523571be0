import { networkInterfaces } from 'node:os';
import { UsageError } from '../errors/errors.js';

/** Throws UsageError where the servers of a process cannot reach each other, as in some containers. */
export function requireLoopback(): void {
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  if (!addresses.some(({ address }) => address === '127.0.0.1')) {
    throw new UsageError(
      'this machine has no loopback interface: 127.0.0.1 cannot be reached',
      'Bring it up: `ip link set lo up`, as root.',
    );
  }
}
