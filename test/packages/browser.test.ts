import { build } from 'esbuild';
import { Project } from '../../testkit/packages/project.js';

let project: Project;

beforeAll(() => {
  project = new Project();
  project.install(['protocol', 'chain', 'connect', 'host', 'react', 'web']);
});
afterAll(() => project.remove());

/** The names of the error classes that a package exports. */
async function errorNames(name: string): Promise<string[]> {
  const exported = Object.entries<unknown>(await import(name));
  return exported
    .filter(([, value]) => typeof value === 'function' && value.prototype instanceof Error)
    .map(([exportedName]) => exportedName);
}

test.each([
  ['@zbc-signer/host', 109_000],
  ['@zbc-signer/chain', 90_000],
  ['@zbc-signer/connect', 5_000],
  // The limit includes React and the used part of the host library.
  ['@zbc-signer/react', 100_000],
  // The limit includes the used part of the host library and the journal of payments.
  ['@zbc-signer/web', 78_000],
])(
  '%s runs in a browser: one script of at most %i bytes, without a module of Node',
  async (name, maxBytes) => {
    const { outputFiles, warnings } = await build({
      stdin: { contents: `export * from '${name}';`, resolveDir: project.directory },
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'esm',
      write: false,
    });
    const { contents, text } = outputFiles[0]!;
    console.log(`${name}: ${contents.length} bytes`);
    expect(warnings).toEqual([]);
    expect(contents.length).toBeGreaterThan(1_000);
    expect(contents.length).toBeLessThanOrEqual(maxBytes);
    expect(text).not.toMatch(/from\s*"node:|require\("/);
    // A minifier renames classes, so the name that programs compare must be a literal in the text.
    expect((await errorNames(name)).filter(error => !text.includes(`"${error}"`))).toEqual([]);
  },
);
