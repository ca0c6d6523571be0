import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Release, ReleaseFile } from '@zbc-signer/host/explorer';
import { createReader, openGateway, retryRead } from '../connection/gateway.js';
import { CommandError, UsageError } from '../errors/errors.js';
import { formatJsonText } from '../output/json.js';
import { formatTable } from '../output/table.js';
import { defineCommand } from '../parser/command.js';
import { GATEWAY_OPTIONS } from '../parser/options.js';

/** The routes of docs/gateway/routes.md that anyone may read and that answer JSON. */
const ROUTES = [
  '/api/v1/node/info',
  '/api/v1/blockchain/status',
  '/api/v1/blockchain/estimate-fee?type=ID&body_length=BYTES',
  '/api/v1/blocks?from=HEIGHT&limit=N',
  '/api/v1/blocks/latest',
  '/api/v1/blocks/:height',
  '/api/v1/accounts/:address',
  '/api/v1/accounts/:address/tokens',
  '/api/v1/tokens',
  '/api/v1/tokens/:tokenId',
  '/api/v1/transactions?limit=N',
  '/api/v1/transactions/:hash',
  '/api/v1/transactions/:hash/status',
  '/api/v1/movements/latest?limit=N',
  '/api/v1/exchange/markets',
  '/api/v1/exchange/orderbook?market=ID',
  '/api/v1/exchange/offers',
  '/api/v1/release/list',
  '/api/v1/registry/nodes',
  '/api/v1/registry/archivals',
  '/api/v1/registry/gateways',
  '/api/v1/registry/relays',
  '/gateway/status',
  '/gateway/health/live',
  '/gateway/health/ready',
  '/gateway/system-stats',
  '/gateway/allowlist',
  '/relay/info',
  '/verify?sha256=HEX',
  '/releases/latest',
  '/openapi.json',
];

const get = defineCommand({
  arguments: { route: { demandOption: true, describe: 'one of the routes below, with its values' } },
  options: { ...GATEWAY_OPTIONS },
  examples: [
    ['$0 get /api/v1/blocks/latest', 'the newest block'],
    ["$0 get '/api/v1/exchange/orderbook?market=-42'", 'a shell may need quotes around a question mark'],
  ],
  notes: `Routes:\n${ROUTES.map(route => `  ${route}`).join('\n')}`,

  async run({ route, api }, terminal) {
    if (!ROUTES.some(known => patternOf(known).test(route))) {
      throw new UsageError(`${route} is not a route`, '`zbc-signer get --help` lists the routes.');
    }
    const gateway = openGateway({ api });
    const answer = await retryRead(createReader(terminal), request => gateway.get(route, request));
    if (answer === undefined)
      throw new CommandError('NO_RECORD', 'notFound', `the gateway has nothing at ${route}`);
    return { json: answer, text: formatJsonText(answer) };
  },
});

/** Matches a route with any values. A value cannot lead to another route, because it has no slash and no dot. */
function patternOf(route: string): RegExp {
  const path = route.split('?')[0]!.replaceAll('.', '\\.');
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[\\w%-]+')}(\\?[^\\s#]*)?$`);
}

const verify = defineCommand({
  arguments: { file: { demandOption: true, describe: 'the file, hashed locally' } },
  options: { ...GATEWAY_OPTIONS },
  examples: [['$0 verify zbc-node-0.4.0.tar.gz', 'prints its release, or exits with code 11']],

  async run({ file, api }, terminal) {
    const gateway = openGateway({ api });
    const sha256 = await hashFile(file, terminal.signal);
    const releases = await retryRead(createReader(terminal), request => gateway.releases(request));
    const match = findFile(releases, sha256);
    if (match === undefined) {
      const message = `${file} is not in any release on the chain: its SHA-256 is ${sha256}`;
      const hint = 'Do not run this file unless you built it yourself.';
      throw new CommandError('NOT_PUBLISHED', 'integrity', message, { hint, facts: { file, sha256 } });
    }
    const { release, published } = match;
    return {
      json: { published: true, file, version: release.version, ...fileJson(published) },
      text: formatTable([
        ['SHA-256', sha256],
        ['Published', `yes: ${published.name} of release ${release.version}`],
        ...(published.architecture === undefined ? [] : [['For', published.architecture] as const]),
      ]),
    };
  },
});

async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new UsageError(`cannot read ${path}: ${Reflect.get(Object(error), 'code') ?? 'unknown error'}`);
  }
  return hash.digest('hex');
}

function fileJson({ architecture, name, sizeBytes, sha256 }: ReleaseFile): Record<string, unknown> {
  return {
    ...(architecture !== undefined && { arch: architecture }),
    name,
    ...(sizeBytes !== undefined && { size: sizeBytes }),
    sha256,
  };
}

/**
 * Finds the file with this hash. The comparison is made here, because the gateway's own answer is not
 * trusted.
 */
function findFile(
  releases: readonly Release[],
  sha256: string,
): { release: Release; published: ReleaseFile } | undefined {
  return releases
    .flatMap(release => release.files.map(published => ({ release, published })))
    .find(({ published }) => published.sha256 === sha256);
}

export const commands = { get, verify };
