// Rewrites the C code of wasm2c in place. Usage: translate.js FILE.
import { readFileSync, writeFileSync } from 'node:fs';
import { rewriteChecks } from './rewrite-checks.js';

const [file] = process.argv.slice(2);
if (!file) throw new Error('usage: translate.js FILE');
writeFileSync(file, rewriteChecks(readFileSync(file, 'utf8')));
