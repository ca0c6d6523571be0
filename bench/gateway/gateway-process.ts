import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { startUsualGateway } from '../../testkit/network/network-processes.js';
import type { Server } from './processors.js';
import { ON_MEASURED } from './processors.js';

/** Counted for each request, and never reached. */
export const UNREACHED = { requests: 1_000_000, writes: 1_000_000 };

/**
 * Starts `zbc-signer gateway` on the measured processor, with its files in `directory`, which is created; it
 * logs to `access.log`. `fields` are those of `gateway.json` that are not as `gateway init` writes them.
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
