import { networkInterfaces } from 'node:os';
import { parseUnits } from '@zbc-signer/chain';
import { UsageError } from '../errors/errors.js';
import { parseWhole } from './values.js';

const MIN_BLOCK_TIME_MS = 50n;
const MAX_BLOCK_TIME_MS = 3_600_000n;
const MAX_FEE_SCALE = 1000;

export function parseFeeScale(text: string): bigint {
  return BigInt(parseWhole('--fee-scale', text, MAX_FEE_SCALE, 1));
}

/** Parses decimal seconds as milliseconds; throws UsageError. */
export function parseBlockTimeMs(text: string): number {
  const blockTimeMs = parseMs(text);
  if (blockTimeMs === undefined || blockTimeMs < MIN_BLOCK_TIME_MS || blockTimeMs > MAX_BLOCK_TIME_MS) {
    throw new UsageError('--block-time must be from 0.05 to 3600 seconds, with at most 3 decimals');
  }
  return Number(blockTimeMs);
}

function parseMs(text: string): bigint | undefined {
  try {
    return parseUnits(text, 3);
  } catch {
    return undefined;
  }
}

/** Throws UsageError if servers in one process cannot reach each other, as in some containers. */
export function requireLoopback(): void {
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  if (!addresses.some(({ address }) => address === '127.0.0.1')) {
    throw new UsageError(
      'this machine has no loopback interface: 127.0.0.1 cannot be reached',
      'Bring it up: `ip link set lo up`, as root.',
    );
  }
}
