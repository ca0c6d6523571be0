// Cuts the power at every flash operation of the loader's code, compiled for this machine: main.js [--depth 2
// | --control]. With --control, plants each fault of faults.ts in a copy of the code, and checks that a cut
// finds it.
import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDirectory } from '../../testkit/process/temporary-directory.js';
import { root } from '../../testkit/repository/repository.js';
import { listMutations, plant } from '../mutation.js';
import { FAULTS } from './faults.js';
import { type Scenario, scenarios } from './scenarios.js';

const run = promisify(execFile);
/**
 * Size of the Pico's dist/boards/pico/zbc-signer-slot.bin on 27 November 2026. Not read, so that this proof
 * needs no compiler for the board.
 */
const FIRMWARE_BYTES = 153_932;
const COMPILE = [
  '-O2',
  '-g',
  '-std=gnu11',
  '-Wall',
  '-Wextra',
  '-DMODULE_MEMORY_BYTES=24576',
  '-DKEYSTORE_MEMORY_BYTES=16384',
  '-DMODULE_REACH_BYTES=256',
  '-DWASM_RT_MEMCHECK_SIGNAL_HANDLER=0',
];
const CONTROL_BYTES = 4_400;
/** Maximum number of consecutive cuts. */
const depth = process.argv[2] === '--depth' ? Number(process.argv[3]) : 1;

const directory = openDirectory('power-cuts-');
const at = (name: string) => join(directory, name);

async function prepare(): Promise<void> {
  await run('wasm2c', [
    join(root, 'dist/firmware/verifier.wasm'),
    '-n',
    'verifier',
    '-o',
    at('verifier-module.c'),
  ]);
  await run('node', [join(root, 'dist/tools/image/loader-keys.js'), at('keys.c'), '']);
  await run('gcc', [...COMPILE, '-w', '-c', '-o', at('verifier-module.o'), at('verifier-module.c')]);
}

/** Compiles the harness with the loader of a copy of firmware/boards. */
async function compile(boards: string, out: string): Promise<void> {
  const sources = ['update.c', 'image.c', 'counter.c', 'verifier.c'].map(name =>
    join(boards, 'loader', name),
  );
  const includes = ['loader', 'common'].map(name => `-I${join(boards, name)}`);
  const files = [
    ...sources,
    join(boards, 'common/crc32.c'),
    join(root, 'prove/power-cuts/cuts.c'),
    at('keys.c'),
  ];
  await run('gcc', [
    ...COMPILE,
    '-fsanitize=undefined,bounds',
    '-fno-sanitize-recover=all',
    ...includes,
    `-I${directory}`,
    ...files,
    at('verifier-module.o'),
    '-o',
    out,
  ]);
}

/** Runs the harness; returns its output, and whether it reports a fault. */
async function attempt(program: string, scenario: Scenario): Promise<{ text: string; isFine: boolean }> {
  const files = (['flash', 'old', 'last', 'older'] as const).map(part => {
    const bytes = scenario[part];
    if (!bytes) return '-';
    writeFileSync(at(`${part}.bin`), bytes);
    return at(`${part}.bin`);
  });
  try {
    return {
      text: (await run(program, [...files, String(Math.min(depth, scenario.depth))])).stdout.trim(),
      isFine: true,
    };
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return { text: `${stdout}${stderr}`.trim().split('\n')[0]!, isFine: false };
  }
}

async function tryAll(): Promise<void> {
  const program = at('cuts');
  await compile(join(root, 'firmware/boards'), program);
  let [cuts, starts] = [0, 0];
  for (const scenario of scenarios(FIRMWARE_BYTES)) {
    const { text, isFine } = await attempt(program, scenario);
    console.log(`${scenario.name}: ${text}`);
    if (!isFine) process.exitCode = 1;
    const [found = 0, done = 0] = (text.match(/\d+/g) ?? []).map(Number);
    if (isFine) [cuts, starts] = [cuts + found, starts + done];
  }
  console.log(`${cuts} cuts, ${starts} starts`);
}

async function tryFaults(): Promise<void> {
  let missed = 0;
  const faults = listMutations(FAULTS);
  for (const { name, file, ...change } of faults) {
    cpSync(join(root, 'firmware/boards'), at('boards'), { recursive: true });
    plant(at(join('boards', file)), change);
    await compile(at('boards'), at('faulty'));
    let found: string | undefined;
    for (const scenario of scenarios(CONTROL_BYTES)) {
      const { text, isFine } = await attempt(at('faulty'), scenario);
      if (!isFine) found = `${scenario.name}, ${text}`;
      if (found) break;
    }
    console.log(found ? `found   ${name}: ${found}` : `MISSED  ${name}`);
    if (!found) missed++;
  }
  console.log(`${faults.length - missed} of ${faults.length} planted faults were found`);
  if (missed > 0) process.exitCode = 1;
}

await prepare();
await (process.argv.includes('--control') ? tryFaults() : tryAll());
