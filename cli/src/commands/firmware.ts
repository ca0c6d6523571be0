import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cleanText } from '@zbc-signer/chain';
import type { BuilderCount, ReleaseManifest } from '@zbc-signer/image';
import { UsageError } from '../errors/errors.js';
import { readBytes } from '../input/files.js';
import { formatTable } from '../output/table.js';
import { defineCommand } from '../parser/command.js';
import { MAX_IMAGE_BYTES, readPublicKey, VERIFY_KEY_OPTIONS } from './image.js';

const MANIFEST = 'manifest.json';
const HINT = `Copy ${MANIFEST} and ${MANIFEST}.sig of the release next to the file, or give the path with --manifest.`;
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
const SIGNATURE_BYTES = 64;
const ATTESTATIONS = 'attestations';
const MAX_ATTESTATIONS = 100;
const MAX_ATTESTATION_BYTES = 1024 * 1024;

const verify = defineCommand({
  arguments: {
    file: {
      demandOption: true,
      describe: 'the file: UF2, HEX, BIN, a signed image or WASM',
    },
  },
  options: {
    manifest: {
      describe: `manifest of the release, with its signature next to it as NAME.sig [${MANIFEST} next to the file]`,
    },
    builders: {
      describe: `file with the builders that you know, one NAME KEY per line: counts who attests this file, by the files in ${ATTESTATIONS} next to the manifest`,
    },
    ...VERIFY_KEY_OPTIONS,
  },
  examples: [
    [
      '$0 firmware verify zbc-signer-pico.uf2 --public-key release.pub',
      'exits with code 11 if the file is not part of the release',
    ],
  ],

  async run({ file, manifest: given, builders, ...keys }, { signal }) {
    const { findReleased, readManifest } = await import('@zbc-signer/image');
    const path = given ?? join(dirname(file), MANIFEST);
    const key = await readPublicKey(keys, signal);
    const [text, signature, bytes] = await Promise.all([
      readBytes('the manifest', path, MAX_MANIFEST_BYTES, signal).catch(error => {
        throw given === undefined && error instanceof UsageError
          ? new UsageError(error.message, HINT)
          : error;
      }),
      readBytes('the signature', `${path}.sig`, SIGNATURE_BYTES, signal),
      readBytes('the file', file, MAX_IMAGE_BYTES, signal),
    ]);
    const manifest = readManifest(text, signature, key);
    const { name, sha256 } = findReleased(bytes, manifest);
    const count = builders && (await countFor(builders, dirname(path), bytes, manifest, signal));
    const commit = manifest.commit ?? 'none: built from uncommitted sources';
    return {
      json: {
        released: true,
        file,
        sha256,
        name,
        release: manifest.version,
        commit: manifest.commit,
        sources_sha256: manifest.sources.sha256,
        ...(count && { builders: count }),
      },
      text: formatTable([
        ['SHA-256', sha256],
        ['Release', cleanText(`${manifest.version}: ${name}`)],
        ['Commit', cleanText(commit)],
        [
          'Sources',
          `${Object.keys(manifest.sources.files).length} files, ${cleanText(manifest.sources.sha256)}`,
        ],
        ...(count
          ? [
              ['Builders', describeCount(count)] as const,
              ['Ignored', count.ignored.map(name => cleanText(name)).join(', ') || 'no file'] as const,
            ]
          : []),
      ]),
    };
  },
});

/** Counts the builders who attest the file; throws ImageError BUILDERS_DIFFER if none does, or one attests another. */
async function countFor(
  list: string,
  directory: string,
  file: Uint8Array,
  manifest: ReleaseManifest,
  signal: AbortSignal,
): Promise<BuilderCount> {
  const { countBuilders, ImageError, readBuilders } = await import('@zbc-signer/image');
  const builders = readBuilders(
    (await readBytes('the builders', list, MAX_ATTESTATION_BYTES, signal)).toString('utf8'),
  );
  const found = await readdir(join(directory, ATTESTATIONS), { withFileTypes: true }).catch(() => []);
  const names = found
    .flatMap(each => (each.isFile() && each.name.endsWith('.json') ? [each.name] : []))
    .sort();
  if (names.length > MAX_ATTESTATIONS)
    throw new UsageError(`${ATTESTATIONS} has more than ${MAX_ATTESTATIONS} files`);
  const attestations = await Promise.all(
    names.map(async name => ({
      name,
      bytes: await readBytes(
        'the attestation',
        join(directory, ATTESTATIONS, name),
        MAX_ATTESTATION_BYTES,
        signal,
      ),
    })),
  );
  const count = countBuilders(builders, attestations, file, manifest);
  if (count.differ.length > 0 || count.agree.length === 0)
    throw new ImageError('BUILDERS_DIFFER', describeCount(count), 'Do not install this file.');
  return count;
}

/** For example: `2 of 3 known builders built these bytes: alice, bob; no attestation: carol`. */
function describeCount({ agree, differ, missing }: BuilderCount): string {
  const total = agree.length + differ.length + missing.length;
  return [
    ...differ.map(({ name, what }) => `${name} ATTESTS OTHER BYTES: ${cleanText(what.join(', '))}`),
    `${agree.length} of ${total} known builders built these bytes${agree.map((name, at) => `${at === 0 ? ': ' : ', '}${name}`).join('')}`,
    ...(missing.length > 0 ? [`no attestation: ${missing.join(', ')}`] : []),
  ].join('; ');
}

export const commands = { verify };
