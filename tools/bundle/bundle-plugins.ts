import { cpSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

/** What stands for `import.meta.url` in a CommonJS file, and the line that defines it. */
export const MODULE_URL = {
  define: { 'import.meta.url': 'moduleUrl' },
  banner: `const moduleUrl = require('node:url').pathToFileURL(__filename).href;`,
};

const NAMED = 'named';
const OWN = /^@zbc-signer\//;

/**
 * Gives `import()` of a CommonJS package the same exports as in Node. Without this plugin, the package would
 * export only its `default` in a split bundle. External packages are not bundled.
 */
export function nameImports(external: readonly string[]): Plugin {
  return {
    name: 'name-imports',
    setup: build => {
      build.onResolve({ filter: /^[@a-z]/ }, async ({ path, kind, importer, resolveDir }) => {
        if (kind !== 'dynamic-import' || OWN.test(path) || external.includes(path)) return undefined;
        const resolved = await build.resolve(path, { kind: 'import-statement', importer, resolveDir });
        return { path, namespace: NAMED, pluginData: { file: resolved.path, resolveDir } };
      });
      build.onLoad({ filter: /./, namespace: NAMED }, async ({ path, pluginData: { file, resolveDir } }) => {
        const exported: object = await import(pathToFileURL(file).href);
        const names = Object.keys(exported).filter(name => /^[\w$]+$/.test(name));
        return { contents: `export { ${names.join(', ')} } from '${path}';`, resolveDir };
      });
    },
  };
}

/** Matches the URL of a file or directory that is relative to the module. */
const ASSET_URL = /new URL\('(\.[^']+)', import\.meta\.url\)/g;
const REQUIRED = /createRequire\(import\.meta\.url\)\(('[^']+')\)/g;

/**
 * Copies files that this repository's modules read from their own directories into the bundle, and adapts the
 * paths. The `package.json` is not copied, because it is above the bundle in the published package.
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
        const source = readFileSync(path, 'utf8');
        // The published package would lack the file of a URL that is formed at run time.
        if (/new URL\(`.*`, import\.meta\.url\)/.test(source))
          throw new Error(`${path}: the name of an asset must be a literal`);
        const contents = source
          .replaceAll(ASSET_URL, (_, url: string) => `new URL('./${place(path, url)}', import.meta.url)`)
          .replaceAll(REQUIRED, 'require($1)');
        return { contents };
      }),
  };
}
