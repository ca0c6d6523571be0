import { cpSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/** A file or directory beside the module that names it. */
const ASSET_URL = /new URL\('(\.[^']+)', import\.meta\.url\)/g;
const REQUIRED = /createRequire\(import\.meta\.url\)\(('[^']+')\)/g;

/**
 * Copies what the modules of this repository read from beside themselves into the bundle, and makes them read
 * it there. A `package.json` is not copied: the published package has it above the bundle.
 */
export function bundleAssets(root: string, output: string): Plugin {
  const place = (module: string, url: string): string => {
    const source = resolve(dirname(module), url);
    const path = relative(root, source);
    if (path === 'cli/package.json') return relative(output, source);
    const name = path.replace('/dist/', '/');
    cpSync(source, join(output, name), { recursive: true });
    return url.endsWith('/') ? `${name}/` : name;
  };
  return {
    name: 'assets',
    setup: build =>
      build.onLoad({ filter: /\/[a-z]+\/dist\/.*\.js$/ }, ({ path }) => {
        if (path.includes('/node_modules/')) return undefined;
        const contents = readFileSync(path, 'utf8')
          .replaceAll(ASSET_URL, (_, url: string) => `new URL('./${place(path, url)}', import.meta.url)`)
          .replaceAll(REQUIRED, 'require($1)');
        return { contents };
      }),
  };
}
