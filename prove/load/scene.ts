import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEVNET_GENESIS_HASH } from '../../gateway/src/index.js';
import { writeReleases } from '../../gateway/src/node/development-data/releases.js';
import { Network } from '../network/network.js';
import { DOWNLOAD, LARGE_DOWNLOAD } from './sorts.js';

const BLOCK_TIME_SECONDS = 1;
const LARGE_BYTES = 64 * 2 ** 20;
/** So many that nobody is refused: that clients are counted costs memory too. */
const NO_LIMIT = 1_000_000;

/** As large from the start as it ever gets: left alone it grows by steps of a quarter of such a process, minutes apart. */
const YOUNG_GENERATION = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/** A network whose gateway has everything that a gateway can have. */
export async function startScene(folder: string): Promise<Network> {
  const [downloads, releases] = [join(folder, 'downloads'), join(folder, 'releases')];
  mkdirSync(downloads);
  writeFileSync(join(downloads, DOWNLOAD), Buffer.alloc(50_000, 'file'));
  writeFileSync(join(downloads, LARGE_DOWNLOAD), Buffer.alloc(LARGE_BYTES, 'large'));
  await writeReleases(releases);
  return Network.start(folder, {
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
