import { mkdir, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { GatewayConfig, StaticNode } from '@zbc-signer/gateway';
import { NO_LIMITS, newAdminKey, parseGatewayConfig } from '@zbc-signer/gateway';
import { DEVELOPMENT_RELAY } from '../node/development-data/registry.js';
import { writeReleases } from '../node/development-data/releases.js';

interface DevnetGatewayOptions {
  /** Directory of the gateway's own files: downloads, releases and the allowlist's changes. */
  directory: string;
  staticNodes: readonly StaticNode[];
  /** Hash of the genesis block, in lower-case hex. */
  genesisHash: string;
  host: string;
  port: number;
  /** Maximum number of requests that one client may send per minute; 0 disables the limit. */
  rateLimit: number;
  /** Origins whose pages may use the chain routes. Default: none. */
  corsOrigins?: readonly string[] | undefined;
  /** Default: a random key. */
  adminApiKey?: string | undefined;
}

const GATEWAY_HOST = 'localhost';
const DOWNLOAD = 'about-this-network.txt';
const ABOUT = 'A file that the operator of a gateway publishes. This one belongs to a development network.\n';

/** Writes the files that the gateway of a development network serves. Returns the gateway's configuration. */
export async function prepareDevnetGateway(options: DevnetGatewayOptions): Promise<GatewayConfig> {
  const { directory, staticNodes, genesisHash, host, port, rateLimit, corsOrigins = [] } = options;
  const [downloadsDir, releasesDir] = [join(directory, 'downloads'), join(directory, 'releases')];
  await mkdir(downloadsDir, { recursive: true });
  await writeFile(join(downloadsDir, DOWNLOAD), ABOUT);
  await writeReleases(releasesDir);
  const adminApiKey = options.adminApiKey ?? newAdminKey();
  const config = parseGatewayConfig(
    { gateway_host: GATEWAY_HOST, admin_api_key: adminApiKey, cors_origins: [...corsOrigins] },
    directory,
  );
  return {
    ...config,
    otherHosts: isIP(host) === 0 && host !== GATEWAY_HOST ? [host.toLowerCase()] : [],
    listenHost: host,
    listenPort: port,
    staticNodes,
    nodePort: staticNodes.find(({ role }) => role === 'full')!.port,
    genesisHash,
    // A short interval, because a node that closed a connection is soon available again.
    healthIntervalMs: 1000,
    stateFile: join(directory, 'allowlist.json'),
    downloadsDir,
    releasesDir,
    relay: { ...DEVELOPMENT_RELAY, genesisHash },
    faucet: true,
    wallet: true,
    limits: NO_LIMITS,
    rateLimit: { requests: rateLimit, writes: 0 },
  };
}
