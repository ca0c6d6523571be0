import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Release, ReleaseFile } from '@zbc-signer/host/explorer';
import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { CommandError, UsageError } from '../../errors/errors.js';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS } from '../../parser/options.js';

export const command = defineCommand({
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
