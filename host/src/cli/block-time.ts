import { parseUnits } from '../../../chain/src/index.js';
import { UsageError } from './errors.js';

const MIN_BLOCK_TIME_MS = 50n;
const MAX_BLOCK_TIME_MS = 3_600_000n;

/** Seconds as they were typed, in milliseconds; throws UsageError. */
export function parseBlockTimeMs(text: string): number {
  const blockTimeMs = parseUnits(text, 3);
  if (blockTimeMs < MIN_BLOCK_TIME_MS || blockTimeMs > MAX_BLOCK_TIME_MS) {
    throw new UsageError('--block-time must be from 0.05 to 3600 seconds');
  }
  return Number(blockTimeMs);
}
