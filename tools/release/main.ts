// Assembles a release from the images of the boards, which must already be built. KEY signs the release, and
// BUILDER an attestation of the files that need no KEY. Usage: main.js KEY.pem|'' BUILDER.pem|'' OUT BOARD...
import type { KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  findBoard,
  formatManifest,
  keyHash,
  type ReleasedFile,
  sha256Hex,
  signAttestation,
  signManifest,
} from '@zbc-signer/image';
import { FIRMWARE_VERSION } from '@zbc-signer/protocol/commands';
import { collectDebianLicences, collectLicences, FIRMWARE_FILES } from '../bundle/bundle-licences.js';
import { readReleaseKey } from '../image/key-files.js';
import { MODULES, recordRelease } from './releases.js';
import { formatFirmwareSbom, formatPackageSboms, LINKED_PACKAGES } from './sbom.js';
import { commitOf, describeSources, formatSums } from './sources.js';
import { type BoardCompiler, describeToolchain } from './toolchain.js';

const FORMATS = ['uf2', 'hex', 'bin'];

const root = fileURLToPath(new URL('../../..', import.meta.url));
const [keyFile, builderFile, out, ...boards] = process.argv.slice(2);
if (!(keyFile || builderFile) || !out || boards.length === 0)
  throw new Error("usage: main.js KEY.pem|'' BUILDER.pem|'' OUT BOARD...");

const key = keyFile ? readReleaseKey(keyFile) : undefined;
const builder = builderFile ? readReleaseKey(builderFile) : undefined;

const files: ReleasedFile[] = [];
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const name of MODULES) take(`dist/firmware/${name}`, name);
for (const board of boards) {
  for (const format of FORMATS) {
    const path = `dist/boards/${board}/zbc-signer.${format}`;
    if (existsSync(join(root, path))) take(path, `zbc-signer-${board}.${format}`, board);
  }
  if (!findBoard(board)?.slots) continue;
  take(`dist/boards/${board}/loader/loader.bin`, `zbc-signer-${board}-loader.bin`);
  take(`dist/boards/${board}/zbc-signer-slot.bin`, `zbc-signer-${board}-slot.bin`);
}
const unsigned = [...files];

const { version } = JSON.parse(readFileSync(join(root, 'cli/package.json'), 'utf8')) as { version: string };
if (version !== FIRMWARE_VERSION)
  throw new Error(`cli/package.json is ${version}, the firmware ${FIRMWARE_VERSION}`);
const description = {
  format: 'zbc-signer-release-1' as const,
  version,
  commit: commitOf(root),
  sources: describeSources(root),
  toolchain: describeToolchain(root, boards.map(compilerOf)),
};
if (builder) {
  mkdirSync(join(out, 'attestations'));
  const name = `attestations/${keyHash(builder).toString('hex')}.json`;
  writeFileSync(join(out, name), signAttestation(description, unsigned, builder));
  console.log(`${out}/${name}: ${unsigned.length} files, commit ${description.commit ?? 'none'}`);
}
if (key) sign(key, out);

function take(path: string, name: string, board?: string): void {
  write(name, readFileSync(join(root, path)), board);
}

function write(name: string, bytes: Uint8Array, board?: string): void {
  writeFileSync(join(out!, name), bytes);
  files.push({
    name,
    bytes: bytes.length,
    sha256: sha256Hex(bytes),
    ...(board !== undefined && { board }),
  });
}

/** Adds the files that contain a signature, the descriptions of the files, and the signed manifest. */
function sign(key: KeyObject, out: string): void {
  for (const board of boards.filter(name => findBoard(name)?.slots)) {
    for (const part of ['loader', 'update']) {
      take(`dist/boards/${board}/zbc-signer-${part}.uf2`, `zbc-signer-${board}-${part}.uf2`, board);
    }
  }
  write('sbom.cdx.json', Buffer.from(formatFirmwareSbom(root, description, [...files])));
  for (const [name, text] of formatPackageSboms(root, description)) write(name, Buffer.from(text));
  write(
    'THIRD-PARTY-LICENSES',
    Buffer.from(
      collectLicences(root, FIRMWARE_FILES) + collectDebianLicences(LINKED_PACKAGES.map(({ name }) => name)),
    ),
  );
  write('toolchain.json', Buffer.from(`${JSON.stringify(description.toolchain, null, 2)}\n`));
  const manifest = formatManifest({ ...description, files });
  const signature = signManifest(manifest, key);
  writeFileSync(
    join(out, 'SHA256SUMS'),
    formatSums(Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256]))),
  );
  writeFileSync(join(out, 'manifest.json'), manifest);
  writeFileSync(join(out, 'manifest.json.sig'), signature);
  recordRelease(root, version);
  console.log(
    `${out}: ${files.length} files, sources ${description.sources.sha256}, commit ${description.commit ?? 'none'}`,
  );
}

/** Returns the compiler that board.mk sets, by default that of the Pico. */
function compilerOf(board: string): BoardCompiler {
  const file = join(root, `firmware/boards/${board}/board.mk`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const setting = (name: string) => new RegExp(`^${name}\\s*:?=[ \\t]*(.*)$`, 'm').exec(text)?.[1]?.trim();
  const options = setting('CPU') ?? '-mcpu=cortex-m0plus -mthumb';
  return { program: `${setting('CROSS') ?? 'arm-none-eabi-'}gcc`, options: options.split(/\s+/) };
}
