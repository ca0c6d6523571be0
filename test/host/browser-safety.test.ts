import { existsSync, readFileSync } from 'node:fs';

const ENTRY = new URL('../../../host/src/index.ts', import.meta.url);

/** Returns the sources that a file reaches through relative imports, including the file itself. */
function reach(file: URL, seen = new Map<string, string>()): Map<string, string> {
  if (!seen.has(file.pathname) && existsSync(file)) {
    const source = readFileSync(file, 'utf8');
    seen.set(file.pathname, source);
    for (const [, path = ''] of source.matchAll(/from '(\.[^']+)\.js'/g)) {
      reach(new URL(`${path}.ts`, file), seen);
    }
  }
  return seen;
}

const sources = [...reach(ENTRY)].map(([path, source]) => ({
  path: path.replace(/^.*\/(?=host|chain)/, ''),
  source,
}));

describe('the files that a browser wallet imports', () => {
  test('include the signer and the chain', () => {
    expect(sources.length).toBeGreaterThan(20);
  });

  test.each(sources)('include $path, which imports no Node module', ({ source }) => {
    expect(source).not.toMatch(/(from|import\()\s*'(node:|node-hid|buffer)/);
    expect(source).not.toMatch(/(?<!globalThis\.)\bBuffer\.|\bprocess\.|\brequire\(/);
  });
});
