import { cleanText } from '../../../../chain/src/index.js';
import { formatTime } from '../../expected-review.js';
import type { Release, ReleaseFile } from '../../gateway/index.js';
import { openGateway } from '../gateway.js';
import { createReader, retryRead } from '../reading.js';
import { formatColumns } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';

const MAX_CELL = 64;

interface ReleaseOptions {
  api?: string | undefined;
}

export async function showReleases(options: ReleaseOptions, terminal: Terminal): Promise<Outcome> {
  const gateway = openGateway(options);
  const releases = await retryRead(createReader(terminal), request => gateway.releases(request));
  return {
    json: { releases: releases.map(releaseJson) },
    text: releases.map(describeRelease).join('\n\n') || 'The chain has published no release.',
  };
}

function releaseJson({ version, releasedAt, files }: Release): Record<string, unknown> {
  return {
    version,
    ...(releasedAt !== undefined && { released_at: releasedAt }),
    files: files.map(fileJson),
  };
}

export function fileJson({ architecture, name, sizeBytes, sha256 }: ReleaseFile): Record<string, unknown> {
  return {
    ...(architecture !== undefined && { arch: architecture }),
    name,
    ...(sizeBytes !== undefined && { size: sizeBytes }),
    sha256,
  };
}

function describeRelease({ version, releasedAt, files }: Release): string {
  const when = releasedAt === undefined ? '' : `  ${formatTime(releasedAt)}`;
  const rows = files.map(({ architecture = '', name, sizeBytes, sha256 }) =>
    [architecture, name, sizeBytes === undefined ? '' : `${sizeBytes} bytes`, sha256].map(cell =>
      cleanText(cell, MAX_CELL),
    ),
  );
  const list = formatColumns(['For', 'File', 'Size', 'SHA-256'], rows, 'no files');
  return `Release ${version}${when}\n${list}`;
}
