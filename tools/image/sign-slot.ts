// Signs the image of a slot. Writes one UF2 file with the image and the loader, and one with the image as an
// update. The default is the development key. Usage: sign-slot.js BOARD DIRECTORY COUNTER KEY.pem|''.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  developmentKey,
  findBoard,
  keyHash,
  type Segment,
  signImage,
  writeImageFile,
} from '@zbc-signer/image';
import { FIRMWARE_MAJOR, FIRMWARE_MINOR, FIRMWARE_PATCH } from '@zbc-signer/protocol/commands';
import { readPrivateKeyFile } from './key-files.js';

const [name, directory, counter, keyFile] = process.argv.slice(2);
const board = findBoard(name ?? '');
if (!board?.slots || !directory || !/^\d{1,9}$/.test(counter ?? '')) {
  throw new Error("usage: sign-slot.js BOARD DIRECTORY COUNTER KEY.pem|''");
}
const { flashStart, slots } = board;
const at = (file: string) => join(directory, file);
const key = keyFile ? readPrivateKeyFile(keyFile) : developmentKey();
const version = { major: FIRMWARE_MAJOR, minor: FIRMWARE_MINOR, revision: FIRMWARE_PATCH, build: 0 };
const signed = signImage(readFileSync(at('zbc-signer-slot.bin')), { version, counter: Number(counter), key });
if (signed.length > slots.bytes)
  throw new Error(`the image has ${signed.length} bytes, but the slot has only ${slots.bytes}`);
const uf2 = (...segments: Segment[]) => writeImageFile({ format: 'uf2', segments, start: [] }, board);

writeFileSync(at('zbc-signer-slot.signed.bin'), signed);
writeFileSync(
  at('zbc-signer-loader.uf2'),
  uf2(
    { address: flashStart, bytes: readFileSync(at('loader/loader.bin')) },
    { address: flashStart + slots.installed, bytes: signed },
  ),
);
writeFileSync(at('zbc-signer-update.uf2'), uf2({ address: flashStart + slots.staged, bytes: signed }));
const signer = keyFile ? keyHash(key).toString('hex') : 'of the development key, which everyone knows';
console.log(`signed image: ${signed.length} bytes of ${slots.bytes}, counter ${counter}, key ${signer}`);
