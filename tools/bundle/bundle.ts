// Bundles the command line into cli/dist/bundle: one file per command, with all the code that it needs from
// other packages and from third parties.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, transform } from 'esbuild';
import { deferEvaluation, deferLoading, LAZY_PACKAGES, lazyFileName } from './bundle-laziness.js';
import { collectLicences, FIRMWARE_FILES } from './bundle-licences.js';
import { bundleAssets, MODULE_URL, nameImports } from './bundle-plugins.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const output = join(root, 'cli/dist/bundle');

/** Native modules, which remain dependencies of the published package. */
const EXTERNAL = ['lmdb', 'node-hid', 'usb'];

/** An optional package of `debug`. If it were not named, the bundle would contain it if it happens to be installed. */
const OPTIONAL = ['supports-color'];

const OUTPUT = {
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
} as const;

const SHARED: BuildOptions = {
  ...OUTPUT,
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  external: [...EXTERNAL, ...OPTIONAL],
  logLevel: 'warning',
};

/** Writes CommonJS, which Node starts faster, although esbuild splits a program only into ES modules. */
async function bundleProgram(): Promise<Metafile> {
  const { metafile, outputFiles } = await build({
    ...SHARED,
    entryPoints: { main: 'cli/dist/main.js' },
    outdir: output,
    format: 'esm',
    splitting: true,
    write: false,
    plugins: [
      bundleAssets(root, output),
      deferEvaluation(root),
      deferLoading('./lazy/'),
      nameImports(EXTERNAL),
    ],
  });
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, {
      ...OUTPUT,
      format: 'cjs',
      supported: { 'dynamic-import': false },
      define: MODULE_URL.define,
      banner: text.includes('import.meta.url') ? MODULE_URL.banner : '',
    });
    writeFileSync(path, code);
  }
  writeFileSync(join(output, 'package.json'), '{"type":"commonjs"}\n');
  return metafile!;
}

async function bundleLazyPackages(): Promise<Metafile> {
  const { metafile } = await build({
    ...SHARED,
    entryPoints: Object.fromEntries(LAZY_PACKAGES.map(name => [lazyFileName(name), name])),
    outdir: join(output, 'lazy'),
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    plugins: [deferLoading('./')],
  });
  return metafile!;
}

rmSync(output, { recursive: true, force: true });
const metafiles = [await bundleProgram(), await bundleLazyPackages()];
const files = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
writeFileSync(join(output, 'THIRD-PARTY-LICENSES'), collectLicences(root, [...files, ...FIRMWARE_FILES]));
