// Pads the second boot stage to 256 bytes, of which the last four are a checksum. Usage: boot2.js FILE OUT.
import { readFileSync, writeFileSync } from 'node:fs';
import { withChecksum } from './boot-stage.js';

const [file, out] = process.argv.slice(2);
if (!file || !out) throw new Error('usage: boot2.js FILE OUT');
writeFileSync(out, withChecksum(readFileSync(file)));
