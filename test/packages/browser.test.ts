import { build } from 'esbuild';
import { Project } from '../../testkit/packages/project.js';
import { greatestSize } from '../../tools/build/browser-files.js';

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
  '@zbc-signer/host',
  '@zbc-signer/chain',
  '@zbc-signer/connect',
  // Its size includes React and the used part of the host library.
  '@zbc-signer/react',
  // Its size includes the used part of the host library and the journal of payments.
  '@zbc-signer/web',
])(
  '%s runs in a browser: one script, without a module of Node, at most a tenth larger than in the last release',
  async name => {
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
    expect(contents.length).toBeLessThanOrEqual(greatestSize(name));
    expect(text).not.toMatch(/from\s*"node:|require\("/);
    // A minifier renames classes, so the name that programs compare must be a literal in the text.
    expect((await errorNames(name)).filter(error => !text.includes(`"${error}"`))).toEqual([]);
  },
);
