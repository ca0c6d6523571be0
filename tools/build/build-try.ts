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
  entryPoints: ['emulator/panel/try.ts', 'wallet/page/look.css'],
  outdir: output,
  write: false,
  ...BROWSER_BUNDLE,
});
const [script = '', look = ''] = outputFiles.map(({ text }) => text);
const page = readFileSync(join(root, 'emulator/panel/try.html'), 'utf8');
mkdirSync(output, { recursive: true });
writeFileSync(
  join(output, 'try.html'),
  page
    .replace('<style>', () => `<style>${look}`)
    .replace(SCRIPT, () => `<script type="module">${script.replaceAll('</script', '<\\/script')}</script>`),
);
checkSize('try.html', output, ['try.html']);
