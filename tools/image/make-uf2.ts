// Converts an image that begins at the start of flash to UF2. Usage: make-uf2.js BOARD IMAGE.bin OUT.uf2.
import { readFileSync, writeFileSync } from 'node:fs';
import { findBoard, readImageFile, writeImageFile } from '@zbc-signer/image';

const [name, image, out] = process.argv.slice(2);
const board = findBoard(name ?? '');
if (!board || !image || !out) throw new Error('usage: make-uf2.js BOARD IMAGE.bin OUT.uf2');
writeFileSync(out, writeImageFile({ ...readImageFile(readFileSync(image), board), format: 'uf2' }, board));
