import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '../test/support/network-processes.js';
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
  const path = join(folder, 'gateway.json');
  const config = { gateway_host: 'gateway.test', listen_port: 0, admin_api_key: 'k'.repeat(43), ...fields };
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
  const log = openSync(join(folder, 'access.log'), 'a');
  try {
    return await startProgram(['gateway', '--config', path, ...words], { before: ON_MEASURED, stderr: log });
  } finally {
    closeSync(log);
  }
}
