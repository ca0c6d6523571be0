// prepare <in.c> <out.c>: prepares the translated module for Memcheck.
import { readFileSync, writeFileSync } from 'node:fs';
import { declassify } from './declassify.js';

const [input, output] = process.argv.slice(2) as [string, string];
writeFileSync(output, declassify(readFileSync(input, 'utf8')));
