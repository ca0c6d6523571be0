import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../testkit/process/cli.js';
import { COMPILED_PROGRAM } from '../../testkit/process/program.js';
import { root } from '../../testkit/repository/repository.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'start-up-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

interface Coverage {
  result: { url: string }[];
}

/**
 * Returns every file that Node loads for a command line, as a path from the repository's root, according to
 * Node's coverage.
 */
async function filesLoadedBy(...args: string[]): Promise<string[]> {
  expect(
    await runCli(args, { env: { NODE_V8_COVERAGE: directory }, program: COMPILED_PROGRAM }),
  ).toMatchObject({ code: 0 });
  return readdirSync(directory)
    .map(name => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Coverage)
    .flatMap(({ result }) => result.map(({ url }) => url))
    .filter(url => url.startsWith('file:'))
    .map(url => relative(root, fileURLToPath(url)))
    .filter(file => !file.startsWith('dist/testkit/'));
}

test('--version loads neither the parser nor a package', async () => {
  const files = await filesLoadedBy('--version');
  expect(files).toContain('cli/dist/main.js');
  expect(files.filter(file => !file.startsWith('cli/dist/'))).toEqual([]);
  expect(files.filter(file => file.startsWith('cli/dist/parser/'))).toEqual([]);
});

test('--help loads no command and no package of the workspace', async () => {
  const files = await filesLoadedBy('--help');
  expect(files.filter(file => file.startsWith('cli/dist/commands/'))).toEqual([]);
  expect(files.filter(file => /^(protocol|chain|host|emulator|gateway|devnet)\//.test(file))).toEqual([]);
});

test('a command loads no other module of commands, and no server', async () => {
  const files = await filesLoadedBy('send', '--help');
  const commands = files.filter(file => file.startsWith('cli/dist/commands/'));
  expect(commands).toEqual(['cli/dist/commands/payment.js']);
  expect(files.filter(file => /^(emulator|gateway|devnet)\/|node_modules\/fastify\//.test(file))).toEqual([]);
});
