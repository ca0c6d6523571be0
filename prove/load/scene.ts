import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEVNET_GENESIS_HASH } from '@zbc-signer/devnet';
import { writeReleases } from '#devnet/node/development-data/releases.js';
import { Network } from '../network/network.js';
import { DOWNLOAD, LARGE_DOWNLOAD } from './request-kinds.js';

const BLOCK_TIME_SECONDS = 1;
const LARGE_BYTES = 64 * 2 ** 20;
/** Counts clients, which costs memory, but rejects none. */
const NO_LIMIT = 1_000_000;

/** Its final size from the start: by default it grows stepwise over minutes, by a quarter of the process. */
const YOUNG_GENERATION = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/** A network whose gateway has every feature enabled. */
export async function startScene(directory: string): Promise<Network> {
  const [downloads, releases] = [join(directory, 'downloads'), join(directory, 'releases')];
  mkdirSync(downloads);
  writeFileSync(join(downloads, DOWNLOAD), Buffer.alloc(50_000, 'file'));
  writeFileSync(join(downloads, LARGE_DOWNLOAD), Buffer.alloc(LARGE_BYTES, 'large'));
  await writeReleases(releases);
  return Network.start(directory, {
    blockTimeSeconds: BLOCK_TIME_SECONDS,
    gateway: {
      downloads_dir: downloads,
      releases_dir: releases,
      relay: { address: 'relay.test:3478', rate: 25_000, genesis_hash: DEVNET_GENESIS_HASH },
      rate_limit: { requests: NO_LIMIT, writes: NO_LIMIT },
      health_interval_ms: 1000,
      metrics: { port: 0 },
    },
    processes: { nodeOptions: YOUNG_GENERATION },
  });
}
