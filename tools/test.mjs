// npm test -- [PATH | jest's options and patterns]: builds what is out of date and runs the tests. PATH is a
// source under test/, such as test/chain/address.test.ts or test/chain, or what was compiled of it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { argv, execPath, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const TSC = 'node_modules/typescript/bin/tsc';
const JEST = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
/** What is not compiled by `tsc -b`: sources, and a file that the whole build writes after reading them. */
const BUILT = [
  { sources: ['firmware', 'protocol/src', 'asconfig.json'], output: 'dist/firmware/zbc-signer.wasm' },
  { sources: ['emulator/panel'], output: 'emulator/dist/panel/panel.js' },
  {
    sources: ['wallet/page', 'web/src', 'host/src', 'chain/src', 'protocol/src'],
    output: 'wallet/dist/bundle/wallet.js',
  },
  { sources: ['gateway/pages'], output: 'gateway/dist/browser/admin.js' },
  { sources: ['vectors'], output: 'cli/dist/vectors/transactions.json' },
];

/** Ends this process when the program fails. */
function run(program, words) {
  const { status } = spawnSync(program, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) exit(status ?? 1);
}

function filesUnder(path) {
  if (!existsSync(join(root, path))) return [];
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true }).map(name => join(path, name));
}

const timeOf = path => statSync(join(root, path)).mtimeMs;

function isOutOfDate({ sources, output }) {
  if (!existsSync(join(root, output))) return true;
  const written = timeOf(output);
  return sources.flatMap(filesUnder).some(path => timeOf(path) > written);
}

/** A test that was renamed or deleted would run on. */
function removeOrphans() {
  const scripts = ['dist/test', 'dist/testkit'].flatMap(filesUnder).filter(path => path.endsWith('.js'));
  for (const script of scripts) {
    const source = script.replace(/^dist\//, '').replace(/\.js$/, '.ts');
    if (!existsSync(join(root, source))) rmSync(join(root, script));
  }
}

function build() {
  removeOrphans();
  if (BUILT.some(isOutOfDate)) run('npm', ['run', '--silent', 'build']);
  else run(execPath, [TSC, '-b']);
}

/** Where a source under test/ is compiled to; any other word unchanged. */
function compiled(word) {
  const path = word.replace(/^\.\//, '').replace(/\/$/, '');
  if (!/^test(?:\/|$)/.test(path) || !existsSync(join(root, path))) return word;
  if (path.endsWith('.ts')) return `dist/${path.replace(/\.ts$/, '.js')}`;
  return statSync(join(root, path)).isDirectory() ? `dist/${path}/` : word;
}

/** For a directory under test/ with a separate configuration, which `make test` does not run. */
function configOf(word) {
  const config = word.replace(/^dist\/(test\/[a-z]+)\/.*/, '$1/jest.json');
  return config !== word && existsSync(join(root, config)) ? ['--config', config] : [];
}

build();
const words = argv.slice(2).map(compiled);
// Tests that wait leave their processor to others.
const workers = words.some(word => /^(?:-i|-w|--runInBand|--maxWorkers)/.test(word))
  ? []
  : [`--maxWorkers=${Math.ceil(1.5 * availableParallelism())}`];
run(execPath, [...JEST, ...workers, ...words.flatMap(configOf), ...words]);
