// Writes every generated file. With --check, only compares the generated text with the committed files.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as generators from './generate/generators.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

function committed(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const checking = process.argv.includes('--check');
for (const { path, content } of Object.values(generators)) {
  const file = join(root, path);
  const wanted = content();
  if (committed(file) === wanted) continue;
  if (checking) {
    console.error(`${path} is not up to date: run npm run generate`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, wanted);
    console.log(`wrote ${path}`);
  }
}
