import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sha256Hex, type ToolchainEntry } from '@zbc-signer/image';

/** The npm packages that build the module. The lock file has the hash of each. */
const NPM = ['assemblyscript', 'binaryen', 'long', 'typescript', 'esbuild'];
/** The programs and libraries with which a board's compiler works. Its `-print-…-name` options find them. */
const PROGRAMS = ['cc1', 'as', 'ld', 'objcopy'];
const LIBRARIES = ['libgcc.a', 'libc_nano.a', 'libc.a'];

const ENVIRONMENT = { ...process.env, LC_ALL: 'C', LANGUAGE: '' };

function run(program: string, ...words: string[]): string {
  return execFileSync(program, words, { encoding: 'utf8', env: ENVIRONMENT }).trim();
}

const firstLine = (text: string) => text.split('\n')[0]!;

/** The compiler of a board, and the options that select its libraries. */
export interface BoardCompiler {
  program: string;
  options: readonly string[];
}

/** Lists every program and library with which the release is made. */
export function describeToolchain(root: string, compilers: readonly BoardCompiler[]): ToolchainEntry[] {
  const entries = [
    ...npmEntries(root),
    fileEntry('wasm2c', firstLine(run('wasm2c', '--version')), run('which', 'wasm2c')),
    fileEntry('wasm-rt.h', packageVersion('wabt'), '/usr/include/wasm-rt.h'),
    ...compilers.flatMap(compilerEntries),
  ];
  const byName = new Map(entries.map(entry => [entry.name, entry]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function npmEntries(root: string): ToolchainEntry[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity: string }>;
  };
  return NPM.map(name => {
    const { version, integrity } = packages[`node_modules/${name}`]!;
    return { name: `npm:${name}`, version, hash: integrity };
  });
}

function compilerEntries({ program, options }: BoardCompiler): ToolchainEntry[] {
  const version = firstLine(run(program, '--version'));
  const libraries = LIBRARIES.map(name => run(program, ...options, `-print-file-name=${name}`));
  return [
    fileEntry(program, version, run('which', program)),
    ...PROGRAMS.map(name =>
      fileEntry(`${program} ${name}`, version, run('which', run(program, `-print-prog-name=${name}`))),
    ),
    // For a library that it does not have, the compiler prints only the name.
    ...libraries
      .filter(path => path.includes('/'))
      .map(path => fileEntry([program, ...options, basename(path)].join(' '), version, path)),
  ];
}

function fileEntry(name: string, version: string, path: string): ToolchainEntry {
  return { name, version, hash: `sha256:${sha256Hex(readFileSync(path))}` };
}

/** Returns the version of an installed Debian package. */
export function packageVersion(name: string): string {
  return run('dpkg-query', '-W', '-f', `\${Version}`, name);
}
