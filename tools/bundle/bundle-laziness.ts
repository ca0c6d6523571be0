import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Packages that a starting program rarely needs, in separate files: CommonJS that Fastify and the emulator
 * load by `require`.
 */
export const LAZY_PACKAGES = [
  'ajv',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
];

export function lazyFileName(name: string): string {
  return name.replace('@', '').replace('/', '-');
}

/** Turns `require` of a lazy package into that of a file in `directory`, relative to the importing file. */
export function deferLoading(directory: string): Plugin {
  return {
    name: 'defer-loading',
    setup: build =>
      build.onResolve({ filter: /^[@a-z]/ }, ({ path, kind }) =>
        kind === 'require-call' && LAZY_PACKAGES.includes(path)
          ? { path: `${directory}${lazyFileName(path)}.cjs`, external: true }
          : undefined,
      ),
  };
}

const DEFERRED = 'deferred';

/**
 * The width of printable ASCII is its length; the rest of string-width, such as Intl.Segmenter, takes 20 ms
 * to load.
 */
const WIDTH_MODULE = `export default (text, options) =>
  typeof text === 'string' && /^[ -~]*$/.test(text)
    ? text.length
    : require('string-width').default(text, options);`;

/**
 * Evaluates string-width when a text first needs it. Paths are relative to `root`, because they determine the
 * output's names.
 */
export function deferEvaluation(root: string): Plugin {
  return {
    name: 'defer-evaluation',
    setup: build => {
      build.onResolve({ filter: /^string-width$/ }, async ({ path, kind, importer, resolveDir }) => {
        if (kind !== 'import-statement') return undefined;
        const resolved = await build.resolve(path, { kind: 'require-call', importer, resolveDir });
        return { path: relative(root, resolved.path), namespace: DEFERRED, sideEffects: false };
      });
      build.onLoad({ filter: /./, namespace: DEFERRED }, ({ path }) => ({
        contents: WIDTH_MODULE,
        resolveDir: dirname(join(root, path)),
      }));
    },
  };
}
