import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readText } from '../../testkit/repository/repository.js';
import { compileAssembly } from '../../tools/build/compile-assembly.js';

/** The firmware's modules that a build writes, by their targets in asconfig.json. */
const MODULES = [
  {
    outputs: [
      'dist/firmware/zbc-signer.wasm',
      'dist/firmware/zbc-signer.wat',
      'emulator/dist/zbc-signer.wasm',
    ],
    target: 'release',
    needs: 'firmware/assembly/',
  },
  {
    outputs: ['dist/firmware/crypto.wasm', 'dist/firmware/crypto.wat'],
    target: 'crypto',
    needs: 'firmware/assembly/crypto/',
  },
  {
    outputs: [
      'dist/firmware/zbc-keystore.wasm',
      'dist/firmware/zbc-keystore.wat',
      'emulator/dist/zbc-keystore.wasm',
    ],
    target: 'keystore',
    needs: 'firmware/',
  },
  {
    outputs: ['dist/firmware/review.wasm'],
    target: 'review',
    needs: 'firmware/assembly/',
  },
];
const SHARED = 'protocol/';
const TSC = 'node_modules/typescript/bin/tsc';

/** The build step that bundles the command line. It is skipped, because tests run the compiled files. */
const BUNDLE = 'dist/tools/bundle/bundle.js';

/** Builds a workspace like `npm run build`, without the bundle. */
export function buildAll(workspace: string): void {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: { build: string } };
  const steps = scripts.build.split(' && ').filter(step => !step.endsWith(BUNDLE));
  const PATH = `${resolve(workspace, 'node_modules/.bin')}:${process.env.PATH}`;
  run(workspace, 'sh', ['-c', steps.join(' && ')], { ...process.env, PATH });
}

/** Returns the files that a rebuild overwrites after the file at `path` changed. */
export function outputsOf(path: string): string[] {
  const modules = modulesOf(path).flatMap(({ outputs }) => outputs);
  return isFirmware(path) ? modules : [...modules, scriptOf(path)];
}

/** Builds a workspace again after its file at `path` changed; throws an Error with the compiler's output. */
export async function rebuild(workspace: string, path: string): Promise<void> {
  if (!isFirmware(path)) compileTypeScript(workspace, packageOf(path));
  for (const { outputs, target } of modulesOf(path)) {
    const { wasm, text } = await compileAssembly(workspace, target);
    for (const output of outputs) {
      writeFileSync(join(workspace, output), output.endsWith('.wat') ? text : wasm);
    }
  }
}

/** Returns the directory of the compiler's configuration for a source; `.` outside all packages. */
function packageOf(path: string): string {
  const [, name, pages] = /^([a-z]+)\/(?:src(?!\/page\/)|((?:src\/)?page))\//.exec(path) ?? [];
  return name === undefined ? '.' : join(name, pages ?? '');
}

/** Returns the compiled file of a source. */
export function scriptOf(path: string): string {
  const script = path.replace(/\.ts$/, '.js');
  return packageOf(path) === '.' ? `dist/${script}` : script.replace(/\/(?:src\/)?/, '/dist/');
}

function isFirmware(path: string): boolean {
  return path.startsWith('firmware/');
}

function modulesOf(path: string) {
  return MODULES.filter(({ needs }) => path.startsWith(needs) || path.startsWith(SHARED));
}

/** Allows unused names, which faults often leave behind. */
function compileTypeScript(workspace: string, directory: string): void {
  const incremental = ['--tsBuildInfoFile', join(directory, 'dist/planted-faults.tsbuildinfo')];
  const unused = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
  run(workspace, process.execPath, [TSC, '-p', directory, ...incremental, ...unused]);
}

function run(workspace: string, program: string, words: string[], env = process.env): void {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: workspace, encoding: 'utf8', env });
  if (status !== 0) throw new Error(`the mutated sources do not compile\n${stdout}${stderr}`);
}
