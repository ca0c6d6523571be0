import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Release, ReleaseFile } from '../../gateway/index.js';
import { NotPublishedError, UsageError } from '../errors.js';
import { openGateway } from '../gateway.js';
import { createReader, retryRead } from '../reading.js';
import { formatTable } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';
import { fileJson } from './releases.js';

interface VerifyOptions {
  file: string;
  api?: string | undefined;
}

/** Hashes the file here and looks for the hash in the chain's own list, so that nothing is left to the gateway's judgement. */
export async function verifyFile({ file, api }: VerifyOptions, terminal: Terminal): Promise<Outcome> {
  const gateway = openGateway({ api });
  const sha256 = await hashFile(file, terminal.signal);
  const releases = await retryRead(createReader(terminal), request => gateway.releases(request));
  const match = findFile(releases, sha256);
  if (match === undefined) {
    throw new NotPublishedError(file, sha256);
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
}

async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new UsageError(`cannot read ${path}: ${Reflect.get(Object(error), 'code') ?? 'it failed'}`);
  }
  return hash.digest('hex');
}

function findFile(
  releases: readonly Release[],
  sha256: string,
): { release: Release; published: ReleaseFile } | undefined {
  return releases
    .flatMap(release => release.files.map(published => ({ release, published })))
    .find(({ published }) => published.sha256 === sha256);
}
