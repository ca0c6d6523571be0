import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

const NAMED = 'named';
const OWN = /^@zbc-signer\//;

/**
 * Gives `import()` of a CommonJS package the names that it has in Node: in a bundle that is split it exports
 * only its `default`. An external package is not bundled.
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
