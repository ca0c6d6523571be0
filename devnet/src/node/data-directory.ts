import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from '@zbc-signer/gateway/server';

interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Calls `start` with `directory`, or with a temporary directory, which is removed by `stop` or after a failed
 * start.
 */
export async function startInDirectory<T extends Stoppable>(
  directory: string | undefined,
  start: (directory: string) => Promise<T>,
): Promise<T> {
  if (directory !== undefined) return start(directory);
  const temporary = await mkdtemp(join(tmpdir(), 'zbc-devnet-'));
  const remove = () => rm(temporary, { recursive: true, force: true });
  try {
    const started = await start(temporary);
    return { ...started, stop: once(() => started.stop().then(remove)) };
  } catch (error) {
    await remove();
    throw error;
  }
}
