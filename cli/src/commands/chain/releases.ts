import { cleanText } from '@zbc-signer/chain';
import { formatTime } from '@zbc-signer/host';
import type { Release, ReleaseFile } from '@zbc-signer/host/explorer';
import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { formatColumns } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS } from '../../parser/options.js';

const MAX_CELL = 64;

export const command = defineCommand({
  options: { ...GATEWAY_OPTIONS },
  examples: [['$0 releases', 'newest first']],

  async run(options, terminal) {
    const gateway = openGateway(options);
    const releases = await retryRead(createReader(terminal), request => gateway.releases(request));
    return {
      json: { releases: releases.map(releaseJson) },
      text: releases.map(describeRelease).join('\n\n') || 'The chain has published no releases.',
    };
  },
});

function releaseJson({ version, releasedAt, files }: Release): Record<string, unknown> {
  return {
    version,
    ...(releasedAt !== undefined && { released_at: releasedAt }),
    files: files.map(releaseFileJson),
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

/** Returns the JSON object that describes a file of a release. */
export function releaseFileJson(file: ReleaseFile): Record<string, unknown> {
  const { architecture, name, sizeBytes, sha256 } = file;
  return {
    ...(architecture !== undefined && { arch: architecture }),
    name,
    ...(sizeBytes !== undefined && { size: sizeBytes }),
    sha256,
  };
}
