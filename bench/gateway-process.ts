import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { startUsualGateway } from '../test/support/network-processes.js';
import { ON_MEASURED } from './processors.js';
import type { Server } from './server.js';

/** Counted for each request, and never reached. */
export const UNREACHED = { requests: 1_000_000, writes: 1_000_000, window_seconds: 1 };

/**
 * Starts `zbc-signer gateway` on the measured processor, with its files in `folder`, which is made: what it logs goes to
 * `access.log`. `fields` are those of `gateway.json` that are not as `gateway init` writes them.
 */
export async function startGateway(
  folder: string,
  fields: Record<string, unknown>,
  words: readonly string[] = [],
): Promise<Server> {
  mkdirSync(folder);
  const log = openSync(join(folder, 'access.log'), 'a');
  try {
    return await startUsualGateway(folder, fields, words, { before: ON_MEASURED, stderr: log });
  } finally {
    closeSync(log);
  }
}
