import { build } from 'esbuild';
import { Project } from '../../testkit/packages/project.js';

const MAX_BYTES = 90_000;

let project: Project;

beforeAll(() => {
  project = new Project();
  project.install(['protocol', 'chain', 'host']);
});
afterAll(() => project.remove());

test.each(['@zbc-signer/host', '@zbc-signer/chain'])(
  '%s runs in a browser: one script of at most 90 kB, without a module of Node',
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
    expect(contents.length).toBeGreaterThan(10_000);
    expect(contents.length).toBeLessThanOrEqual(MAX_BYTES);
    expect(text).not.toMatch(/from\s*"node:|require\("/);
  },
);
