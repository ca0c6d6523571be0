// npm test -- [PATH | options and patterns of Jest]: builds the files that are out of date, and runs tests.
// PATH is a file or directory under test/, such as test/chain/address.test.ts or test/chain, or its compiled
// file. Without a PATH, all tests run except those that other commands run.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { argv, execPath, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const TSC = 'node_modules/typescript/bin/tsc';
const JEST = [
  '--experimental-vm-modules',
  '--no-warnings',
  // This saves a seventh of the processor time, because most objects of a test soon become garbage.
  '--max-semi-space-size=32',
  // This saves a tenth of it, because the threads of the garbage collector would compete with other test
  // processes.
  '--single-threaded-gc',
  'node_modules/jest/bin/jest.js',
  // An idle worker takes longer than Jest's half second to exit on a busy machine.
  '--workerGracefulExitTimeout=10000',
];
/**
 * Sources that `tsc -b` does not compile. `output` is a file that the whole build writes after it has read
 * them.
 */
const BUILT = [
  { sources: ['firmware', 'protocol/src', 'asconfig.json'], output: 'emulator/dist/zbc-signer.wasm' },
  { sources: ['emulator/panel'], output: 'emulator/dist/panel/panel.js' },
  {
    sources: ['wallet/page', 'connect/src', 'web/src', 'host/src', 'chain/src', 'protocol/src'],
    output: 'wallet/dist/bundle/wallet.js',
  },
  { sources: ['gateway/pages', 'gateway/src/pages'], output: 'gateway/dist/browser/admin.js' },
  { sources: ['emulator/src/device', 'emulator/src/page'], output: 'emulator/dist/browser.js' },
  { sources: ['vectors'], output: 'emulator/dist/vectors/transactions.json' },
];
const MEMORY_DISK = '/dev/shm';
const MIN_FREE_BYTES = 2 ** 30;
const { workspaces, jest } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The sources of the bundled command line, which tests start, and the file that the bundler writes last. */
const BUNDLE = {
  sources: workspaces.map(name => `${name}/dist`),
  output: 'cli/dist/bundle/THIRD-PARTY-LICENSES',
};

/** Runs a program; ends this process if it fails. */
function run(program, words, variables = {}) {
  const env = { ...process.env, ...variables };
  const { status } = spawnSync(program, words, { cwd: root, stdio: 'inherit', env });
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

/** Removes compiled tests whose source was renamed or deleted, because they would still run. */
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
  if (isOutOfDate(BUNDLE)) run(execPath, ['dist/tools/bundle/bundle.js']);
}

/** Maps a source under test/ to its compiled file; returns any other word unchanged. */
function compiled(word) {
  const path = word.replace(/^\.\//, '').replace(/\/$/, '');
  if (!/^test(?:\/|$)/.test(path) || !existsSync(join(root, path))) return word;
  if (path.endsWith('.ts')) return `dist/${path.replace(/\.ts$/, '.js')}`;
  return statSync(join(root, path)).isDirectory() ? `dist/${path}/` : word;
}

/** The configuration of a directory under test/ that `make test` does not run. */
function configOf(word) {
  const config = word.replace(/^dist\/(test\/[a-z]+)\/.*/, '$1/jest.json');
  return config !== word && existsSync(join(root, config)) ? ['--config', config] : [];
}

/** The tests that start, kill or load processes, which `make test-node` runs. */
function ofProcesses() {
  const paths = JSON.parse(readFileSync(join(root, 'test/processes.json'), 'utf8'));
  return paths.map(path => `<rootDir>/${compiled(path)}`);
}

/**
 * Creates a temporary directory, which is deleted at the end. It is in memory if there is enough memory,
 * because nodes flush their stores at every commit.
 */
function openTemporaryDirectory() {
  const { bavail = 0, bsize = 0 } = existsSync(MEMORY_DISK) ? statfsSync(MEMORY_DISK) : {};
  const parent = bavail * bsize > MIN_FREE_BYTES ? MEMORY_DISK : tmpdir();
  const directory = mkdtempSync(join(parent, 'zbc-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  // Ctrl-C ends the tests first, and then this process.
  process.on('SIGINT', () => undefined);
  return directory;
}

build();
const words = argv.slice(2).map(compiled);
const config = [...new Set(words.flatMap(configOf))];
const isUsual = config.length === 0 && !words.includes('--config');
// There are more workers than processors, because many tests wait. Tests with browsers and simulators wait
// less.
const workers = words.some(word => /^(?:-i|-w|--runInBand|--maxWorkers)/.test(word))
  ? []
  : [`--maxWorkers=${Math.ceil((isUsual ? 2 : 1.5) * availableParallelism())}`];
const isWhole = isUsual && words.every(word => /^[-\d]/.test(word));
const others = isWhole ? ['--testPathIgnorePatterns', ...jest.testPathIgnorePatterns, ...ofProcesses()] : [];
run(execPath, [...JEST, ...workers, ...config, ...words, ...others], {
  BUNDLED: '1',
  ...(isUsual && { TMPDIR: openTemporaryDirectory() }),
});
