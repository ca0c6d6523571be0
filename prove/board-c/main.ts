// Uses Frama-C's Eva to analyse the C code that the boards share, for any events, any answers of the modules
// and any content of the flash: main.js [--control]. No run-time error may be possible. The control plants
// each fault of faults.ts, and Eva must raise an alarm for it.
import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDirectory } from '../../testkit/process/temporary-directory.js';
import { root } from '../../testkit/repository/repository.js';
import { listMutations, type Mutations, plant } from '../mutation.js';
import { BOARD_FAULTS, LOADER_FAULTS } from './faults.js';

const run = promisify(execFile);

interface Program {
  name: string;
  /** Paths relative to firmware/boards. */
  sources: readonly string[];
  /** File in this directory. */
  surroundings: string;
  faults: Mutations;
  /** Names in one of the sources that get a prefix, because the stubs define functions with these names. */
  renamed: readonly [source: string, names: readonly string[], prefix: string];
  options: readonly string[];
}

const PROGRAMS: readonly Program[] = [
  {
    name: 'board',
    sources: [
      ...['exchange', 'front', 'buttons', 'debounce', 'storage', 'record', 'crc32', 'runtime', 'trap'].map(
        name => `common/${name}.c`,
      ),
      'serial/packets.c',
    ],
    surroundings: 'any-board.c',
    faults: BOARD_FAULTS,
    renamed: [
      'serial/packets.c',
      ['start', 'poll', 'lost']
        .map(name => `links_${name}`)
        .concat(['received', 'done', 'can_send', 'send'].map(name => `link_${name}`)),
      'uart_',
    ],
    options: [],
  },
  {
    name: 'loader',
    sources: [
      ...['loader', 'update', 'image', 'counter', 'verifier'].map(name => `loader/${name}.c`),
      'common/crc32.c',
      'common/runtime.c',
    ],
    surroundings: 'any-flash.c',
    faults: LOADER_FAULTS,
    renamed: ['loader/loader.c', ['main'], 'loader_'],
    // Eva analyses each result of a function separately, with the conditions under which it is returned.
    options: ['-eva-split-return', 'full', '-eva-slevel', '30'],
  },
];
const DEFINED = [
  'LINKS=2',
  'KEYSTORE_OPTIONS=0',
  'MODULE_MEMORY_BYTES=24576',
  'KEYSTORE_MEMORY_BYTES=16384',
  'MODULE_REACH_BYTES=256',
  'WASM_RT_MEMCHECK_SIGNAL_HANDLER=0',
];
/** Eva must not treat an unknown value of a volatile bool as an invalid representation. */
const EVA = ['-eva', '-eva-precision', '1', '-no-warn-invalid-bool'];
const ALARM = /^\[eva:alarm\] (\S+?):(\d+): /gm;

const directory = openDirectory('board-c-');

/** Generates the headers of the translated modules. */
async function translate(): Promise<void> {
  for (const [module, name, header] of [
    ['zbc-signer', 'signer', 'signer'],
    ['zbc-keystore', 'keystore', 'keystore'],
    ['verifier', 'verifier', 'verifier-module'],
  ] as const)
    await run('wasm2c', [
      join(root, `dist/firmware/${module}.wasm`),
      '-n',
      name,
      '-o',
      join(directory, `${header}.c`),
    ]);
  copyFileSync('/usr/include/wasm-rt.h', join(directory, 'wasm-rt.h'));
}

/** Eva's output for a program whose sources are in a copy of firmware/boards. */
async function analyse(program: Program, boards: string): Promise<string> {
  const [renamed, names, prefix] = program.renamed;
  const includes = ['common', 'serial', 'loader'].map(part => `-I${join(boards, part)}`);
  const { stdout } = await run(
    'frama-c',
    [
      '-machdep',
      'gcc_x86_32',
      '-c11',
      `-cpp-extra-args=${[...DEFINED.map(word => `-D${word}`), ...includes, `-I${directory}`].join(' ')} '-D__asm__(...)='`,
      `-cpp-extra-args-per-file=${join(boards, renamed)}:${names.map(name => `-D${name}=${prefix}${name}`).join(' ')}`,
      ...program.sources.map(source => join(boards, source)),
      join(root, 'prove/board-c', program.surroundings),
      ...EVA,
      ...program.options,
      '-metrics',
      '-metrics-eva-cover',
    ],
    { cwd: directory, maxBuffer: 64 << 20 },
  );
  return stdout;
}

function alarms(text: string): string[] {
  return [...text.matchAll(ALARM)].map(([, file, line]) => `${file}:${line}`);
}

async function prove(program: Program): Promise<void> {
  const text = await analyse(program, join(root, 'firmware/boards'));
  const found = alarms(text);
  const [, covered = 'nothing'] = /^\s*(\d+ stmts in analyzed functions, .*)$/m.exec(text) ?? [];
  console.log(`${program.name}: ${found.length} alarms; ${covered}`);
  for (const alarm of found) console.log(`  ${alarm}`);
  if (found.length > 0 || covered === 'nothing') process.exitCode = 1;
}

async function control(program: Program): Promise<void> {
  const boards = join(directory, program.name);
  cpSync(join(root, 'firmware/boards'), boards, { recursive: true });
  const faults = listMutations(program.faults);
  for (const fault of faults) plant(join(boards, fault.file), fault);
  const found = alarms(await analyse(program, boards));
  for (const { name, file: faulty, more } of faults) {
    const [text = '', file = faulty] = more;
    const line =
      readFileSync(join(boards, file), 'utf8')
        .split('\n')
        .findIndex(one => one.includes(text)) + 1;
    const isFound = found.some(alarm => alarm.endsWith(`${file}:${line}`));
    console.log(`${isFound ? 'found ' : 'MISSED'}  ${name}: ${file}:${line}`);
    if (!isFound) process.exitCode = 1;
  }
}

await translate();
for (const program of PROGRAMS) await (process.argv.includes('--control') ? control : prove)(program);
