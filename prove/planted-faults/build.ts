import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileAssembly } from '../../tools/compile-assembly.js';

/** Each module of the firmware and its entry file. */
const MODULES = [
  {
    output: 'dist/firmware/zbc-signer.wasm',
    entry: 'firmware/assembly/index.ts',
    needs: 'firmware/assembly/',
  },
  {
    output: 'dist/firmware/crypto.wasm',
    entry: 'firmware/test-modules/crypto.ts',
    needs: 'firmware/assembly/crypto/',
  },
];
const SHARED = 'protocol/';
const TSC = 'node_modules/typescript/bin/tsc';

/** Builds a workspace as `npm run build` does. */
export function buildAll(workspace: string): void {
  compileTypeScript(workspace);
  for (const pages of ['emulator/panel', 'gateway/pages']) run(workspace, [TSC, '-p', pages]);
  for (const tool of ['build-panel', 'build-pages', 'build-firmware'])
    run(workspace, [`dist/tools/${tool}.js`]);
}

/** What has to be built again, and is overwritten, when the file at `path` changes. */
export function outputsOf(path: string): string[] {
  const modules = modulesOf(path).map(({ output }) => output);
  return isFirmware(path) ? modules : [...modules, `dist/${path.replace(/\.ts$/, '.js')}`];
}

/** Builds a workspace again after its file at `path` changed; throws an Error with the compiler's words. */
export async function rebuild(workspace: string, path: string): Promise<void> {
  if (!isFirmware(path)) compileTypeScript(workspace);
  for (const { output, entry } of modulesOf(path)) {
    const { wasm } = await compileAssembly(workspace, entry);
    writeFileSync(join(workspace, output), wasm);
  }
}

function isFirmware(path: string): boolean {
  return path.startsWith('firmware/');
}

function modulesOf(path: string) {
  return MODULES.filter(({ needs }) => path.startsWith(needs) || path.startsWith(SHARED));
}

/** A fault leaves names unused by its nature. */
function compileTypeScript(workspace: string): void {
  const incremental = ['--incremental', '--tsBuildInfoFile', 'dist/planted-faults.tsbuildinfo'];
  const unused = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
  run(workspace, [TSC, ...incremental, ...unused]);
}

function run(workspace: string, command: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: workspace,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`it does not compile\n${stdout}${stderr}`);
}
