import { dirname, join } from 'node:path';
import { cleanText } from '@zbc-signer/chain';
import { UsageError } from '../../errors/errors.js';
import { readBytes } from '../../input/files.js';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { MAX_IMAGE_BYTES, readPublicKey, VERIFY_KEY_OPTIONS } from './options.js';

const MANIFEST = 'manifest.json';
const HINT = `Copy ${MANIFEST} and ${MANIFEST}.sig of the release next to the file, or give the path with --manifest.`;
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
const SIGNATURE_BYTES = 64;

export const command = defineCommand({
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
    ...VERIFY_KEY_OPTIONS,
  },
  examples: [
    [
      '$0 firmware verify zbc-signer-pico.uf2 --public-key release.pub',
      'exits with code 11 if the release does not explain the file',
    ],
  ],

  async run({ file, manifest: given, ...keys }, { signal }) {
    const { explainFile, readManifest, sha256Hex } = await import('@zbc-signer/image');
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
    const { released, isSame, parts } = explainFile(bytes, manifest);
    const commit = manifest.commit ?? 'none: built from uncommitted sources';
    return {
      json: {
        released: true,
        file,
        sha256: sha256Hex(bytes),
        name: released.name,
        same_file: isSame,
        release: manifest.version,
        commit: manifest.commit,
        sources_sha256: manifest.sources.sha256,
        parts,
      },
      text: formatTable([
        ['SHA-256', sha256Hex(bytes)],
        ['Release', cleanText(`${manifest.version}: ${isSame ? '' : 'the payload of '}${released.name}`)],
        ['Commit', cleanText(commit)],
        [
          'Sources',
          `${Object.keys(manifest.sources.files).length} files, ${cleanText(manifest.sources.sha256)}`,
        ],
        ...parts.map(
          ({ name, bytes: count, detail }) =>
            [`${name[0]!.toUpperCase()}${name.slice(1)}`, `${count} bytes, ${detail}`] as const,
        ),
      ]),
    };
  },
});
