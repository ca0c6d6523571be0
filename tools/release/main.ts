// Assembles a release from the images of the boards, which must already be built. Usage: main.js KEY.pem OUT
// BOARD...
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  findBoard,
  formatManifest,
  payloadOf,
  type ReleasedFile,
  sha256Hex,
  signManifest,
} from '@zbc-signer/image';
import { readReleaseKey } from '../image/key-files.js';
import { formatSbom } from './sbom.js';
import { commitOf, describeSources, formatSums } from './sources.js';
import { type BoardCompiler, describeToolchain } from './toolchain.js';

const FORMATS = ['uf2', 'hex', 'bin'];
const MODULES = ['zbc-signer.wasm', 'zbc-keystore.wasm'];

const root = fileURLToPath(new URL('../../..', import.meta.url));
const [keyFile, out, ...boards] = process.argv.slice(2);
if (!keyFile || !out || boards.length === 0) throw new Error('usage: main.js KEY.pem OUT BOARD...');

const key = readReleaseKey(keyFile);

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
  for (const part of ['loader', 'update']) {
    take(`dist/boards/${board}/zbc-signer-${part}.uf2`, `zbc-signer-${board}-${part}.uf2`, board);
  }
  take(`dist/boards/${board}/zbc-signer-slot.bin`, `zbc-signer-${board}-slot.bin`);
}

const { version } = JSON.parse(readFileSync(join(root, 'cli/package.json'), 'utf8')) as { version: string };
const description = {
  format: 'zbc-signer-release-1' as const,
  version,
  commit: commitOf(root),
  sources: describeSources(root),
  toolchain: describeToolchain(root, boards.map(compilerOf)),
};
write('sbom.cdx.json', Buffer.from(formatSbom(root, description, [...files])));
write('toolchain.json', Buffer.from(`${JSON.stringify(description.toolchain, null, 2)}\n`));
const manifest = formatManifest({ ...description, files });
const signature = signManifest(manifest, key);
writeFileSync(
  join(out, 'SHA256SUMS'),
  formatSums(Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256]))),
);
writeFileSync(join(out, 'manifest.json'), manifest);
writeFileSync(join(out, 'manifest.json.sig'), signature);
console.log(
  `${out}: ${files.length} files, sources ${description.sources.sha256}, commit ${description.commit ?? 'none'}`,
);

function take(path: string, name: string, board?: string): void {
  write(name, readFileSync(join(root, path)), board);
}

function write(name: string, bytes: Uint8Array, board?: string): void {
  writeFileSync(join(out!, name), bytes);
  const known = findBoard(board ?? '');
  files.push({
    name,
    bytes: bytes.length,
    sha256: sha256Hex(bytes),
    ...(board !== undefined && { board }),
    ...(known && { payload: payloadOf(bytes, known) }),
  });
}

/** Returns the compiler that board.mk sets, by default that of the Pico. */
function compilerOf(board: string): BoardCompiler {
  const file = join(root, `firmware/boards/${board}/board.mk`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const setting = (name: string) => new RegExp(`^${name}\\s*:?=[ \\t]*(.*)$`, 'm').exec(text)?.[1]?.trim();
  const options = setting('CPU') ?? '-mcpu=cortex-m0plus -mthumb';
  return { program: `${setting('CROSS') ?? 'arm-none-eabi-'}gcc`, options: options.split(/\s+/) };
}
