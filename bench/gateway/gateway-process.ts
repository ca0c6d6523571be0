import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { startUsualGateway } from '../../testkit/network/network-processes.js';
import type { Server } from './processors.js';
import { ON_MEASURED } from './processors.js';

/** Limits that are counted for each request but never reached. */
export const UNREACHED = { requests: 1_000_000, writes: 1_000_000 };

/**
 * Starts `zbc-signer gateway` on the measured processor. Creates `directory` for its files and its log,
 * `access.log`. `fields` replace values that `gateway init` writes.
 */
export async function startGateway(
  directory: string,
  fields: Record<string, unknown>,
  words: readonly string[] = [],
): Promise<Server> {
  mkdirSync(directory);
  const log = openSync(join(directory, 'access.log'), 'a');
  try {
    return await startUsualGateway(directory, fields, words, { before: ON_MEASURED, stderr: log });
  } finally {
    closeSync(log);
  }
}
