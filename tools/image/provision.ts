// Writes the seed of a development board as a UF2 file: provision.js SEED_FILE OUT.uf2. A Pico keeps no
// secret.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseSeed } from '@zbc-signer/emulator';
import { picoSeedImage } from './seed-record.js';

const ONLY_OWNER = 0o600;

function provision(seedFile: string | undefined, out: string | undefined): string {
  if (!seedFile || !out) throw new Error('SEED_FILE is missing');
  writeFileSync(out, picoSeedImage(parseSeed(readFileSync(seedFile, 'utf8'))), { mode: ONLY_OWNER });
  return `wrote ${out}, which holds the seed: copy it to the board, then delete it`;
}

const [seedFile, out] = process.argv.slice(2);
try {
  console.log(provision(seedFile, out));
} catch (error) {
  console.error(`error: ${(error as Error).message}`);
  process.exitCode = 1;
}
