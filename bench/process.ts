// Measures processes from their start to their first use, and compares them with an empty Node process.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { BUNDLED_PROGRAM } from '../testkit/process/program.js';
import { root } from '../testkit/repository/repository.js';
import { median } from '../testkit/time/median.js';
import { timed } from './measure.js';

const RUNS = 15;

interface ProcessTimes {
  nodeMs: number;
  versionMs: number;
  helpMs: number;
  /** Processor time of a start and stop of the emulator, and its ratio to that of a process that does nothing. */
  emulatorMs: number;
  emulatorRatio: number;
  /** Times of the first and of a later emulator in a process, after the import. */
  firstInProcessMs: number;
  nextInProcessMs: number;
  /** Processor time of the first emulator. */
  firstProcessorMs: number;
}

const PORTS = ['--api-port', 'auto', '--apdu-port', 'auto', '--ledger-port', 'auto'];
const EMULATOR = [BUNDLED_PROGRAM, 'emulator', '--json', ...PORTS];

/** Milliseconds of processor time of a Node process, which gets SIGINT when it prints a line of JSON. */
async function processorMsOf(words: readonly string[]): Promise<number> {
  const script = ['-c', 'trap "" INT; "$@"; times', 'sh', process.execPath, ...words];
  const child = spawn('sh', script, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.on('data', chunk => {
    output += chunk;
    if (output.endsWith('}\n')) process.kill(-child.pid!, 'SIGINT');
  });
  await once(child, 'close');
  // The last line has the times of the children: those in their own code and those in the kernel.
  const parts = output.trim().split(/\s+/).slice(-2);
  return parts.reduce(
    (sum, part) => sum + 60_000 * Number.parseInt(part, 10) + 1000 * Number.parseFloat(part.split('m')[1]!),
    0,
  );
}

const IN_PROCESS = `
import { Emulator } from '@zbc-signer/emulator';
const times = [];
const processor = [];
for (let run = 0; run < 20; run++) {
  const [start, used] = [performance.now(), process.cpuUsage()];
  const emulator = await Emulator.start();
  times.push(performance.now() - start);
  const { user, system } = process.cpuUsage(used);
  processor.push((user + system) / 1000);
  emulator.stop();
}
console.log(JSON.stringify([times[0], times.slice(1).sort((a, b) => a - b)[9], processor[0]]));
`;

type InProcess = [firstMs: number, nextMs: number, firstProcessorMs: number];

/** Starts emulators in a separate process, because a process compiles the firmware only once. */
function startInProcess(): InProcess {
  const words = ['--input-type=module', '-e', IN_PROCESS];
  return JSON.parse(spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' }).stdout);
}

/** Medians of alternating runs, in milliseconds. */
export async function measureProcesses(): Promise<ProcessTimes> {
  const node: number[] = [];
  const version: number[] = [];
  const help: number[] = [];
  const emulator: number[] = [];
  const ratios: number[] = [];
  const inProcess: InProcess[] = [];
  for (let run = 0; run < RUNS; run++) {
    node.push(await timed(() => spawnSync(process.execPath, ['-e', '0'])));
    version.push(await timed(() => spawnSync(process.execPath, [BUNDLED_PROGRAM, '--version'])));
    help.push(await timed(() => spawnSync(process.execPath, [BUNDLED_PROGRAM, '--help'])));
    emulator.push(await processorMsOf(EMULATOR));
    ratios.push(emulator.at(-1)! / (await processorMsOf(['-e', '0'])));
    inProcess.push(startInProcess());
  }
  return {
    nodeMs: median(node),
    versionMs: median(version),
    helpMs: median(help),
    emulatorMs: median(emulator),
    emulatorRatio: median(ratios),
    firstInProcessMs: median(inProcess.map(([first]) => first)),
    nextInProcessMs: median(inProcess.map(([, next]) => next)),
    firstProcessorMs: median(inProcess.map(([, , processor]) => processor)),
  };
}
