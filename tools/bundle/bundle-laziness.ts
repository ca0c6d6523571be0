import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * CommonJS packages that Fastify and the emulator load with `require`. They are bundled into separate files,
 * because a program rarely needs them when it starts.
 */
export const LAZY_PACKAGES = [
  'ajv',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
  'pngjs',
];

export function lazyFileName(name: string): string {
  return name.replace('@', '').replace('/', '-');
}

/**
 * Replaces `require` of a lazy package by `require` of its file in `directory`, which is relative to the
 * importing file.
 */
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
 * A replacement of string-width that loads it only if a text has other characters than printable ASCII, whose
 * width is its length. Loading string-width takes 20 ms, because of parts such as Intl.Segmenter.
 */
const WIDTH_MODULE = `export default (text, options) =>
  typeof text === 'string' && /^[ -~]*$/.test(text)
    ? text.length
    : require('string-width').default(text, options);`;

/**
 * Loads string-width only when a text first needs it. Paths are relative to `root`, because they determine
 * the names of the output files.
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
