// Makes a UF2 of an image that begins at the start of flash: make-uf2.js IMAGE.bin OUT.uf2.
import { readFileSync, writeFileSync } from 'node:fs';
import { toUf2 } from './uf2.js';

const [image, out] = process.argv.slice(2);
if (!image || !out) throw new Error('usage: make-uf2.js IMAGE.bin OUT.uf2');
writeFileSync(out, toUf2(readFileSync(image), 0));
