// Writes dist/reference/try.html, one file with the emulated signer and a host. Fails if it is too large.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BROWSER_BUNDLE, checkSize } from './browser-files.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const output = join(root, 'dist/reference');
const SCRIPT = '<script type="module" src="try.js"></script>';

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: [join(root, 'emulator/panel/try.ts')],
  write: false,
  ...BROWSER_BUNDLE,
});
const script = outputFiles[0]!.text.replaceAll('</script', '<\\/script');
const page = readFileSync(join(root, 'emulator/panel/try.html'), 'utf8');
mkdirSync(output, { recursive: true });
writeFileSync(
  join(output, 'try.html'),
  page.replace(SCRIPT, () => `<script type="module">${script}</script>`),
);
checkSize('try.html', output, ['try.html']);
