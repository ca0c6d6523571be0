// Plants the faults one at a time in copies of the repository and asks the tests to catch each (see README.md).
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { faultsOf, type PlantedFault } from './fault.js';
import { rooms } from './faults/index.js';
import { runTests } from './test-run.js';
import { type Outcome, tryFault } from './trial.js';
import { createWorkspaces } from './workspace.js';

interface Result extends Outcome {
  fault: PlantedFault;
  seconds: number;
}

const MAX_JOBS = 2;
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: `${MAX_JOBS}` },
    all: { type: 'boolean', default: false },
    listed: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

/** Without `--all` or `--only`: the first fault of each room, the fourth, and so on, which fit a run of a few minutes. */
const STEP = options.all || options.only !== '' ? 1 : 3;
const planted = rooms.map(faultsOf);
const chosen = new RegExp(options.only, 'i');
const faults = planted
  .flatMap(room => room.filter((_, at) => at % STEP === 0))
  .filter(({ room, path, name }) => chosen.test(`${room}: ${path}: ${name}`));

function report({ verdict, fault, why, elsewhere, seconds }: Result): void {
  if (options.json) return;
  const note = elsewhere ? ' (not a test listed for it)' : '';
  console.log(`${verdict.padEnd(8)} ${fault.room}: ${fault.name} — ${why}${note} [${seconds.toFixed(1)} s]`);
}

/** Takes faults from the common queue until there is none. */
async function work(workspace: string, queue: PlantedFault[], results: Result[]): Promise<void> {
  const thread = new Worker(new URL('./build-thread.js', import.meta.url), { workerData: workspace });
  const rebuild = async (path: string) => {
    thread.postMessage(path);
    const [fault] = (await once(thread, 'message')) as [string | undefined];
    if (fault !== undefined) throw new Error(fault);
  };
  for (let fault = queue.shift(); fault; fault = queue.shift()) {
    const start = performance.now();
    const outcome = await tryFault(workspace, fault, rebuild, options.listed);
    const result = { ...outcome, fault, seconds: (performance.now() - start) / 1000 };
    report(result);
    results.push(result);
  }
  await thread.terminate();
}

async function checkUnplanted(workspace: string, jobs: number): Promise<void> {
  const tests = [...new Set(faults.flatMap(fault => fault.tests))];
  const failure = await runTests(workspace, tests, jobs);
  if (failure) throw new Error(`the tests fail without any fault: ${failure.file}: ${failure.test}`);
}

async function run(): Promise<Result[]> {
  const jobs = Math.max(1, Math.min(MAX_JOBS, Number(options.jobs), faults.length));
  const workspaces = createWorkspaces(jobs);
  await checkUnplanted(workspaces[0]!, jobs);
  const queue = [...faults];
  const results: Result[] = [];
  await Promise.all(workspaces.map(workspace => work(workspace, queue, results)));
  return results;
}

function count(results: Result[], verdict: Outcome['verdict']): number {
  return results.filter(result => result.verdict === verdict).length;
}

function printScore(results: Result[], seconds: number): void {
  const [caught, survived, broken] = [
    count(results, 'caught'),
    count(results, 'survived'),
    count(results, 'broken'),
  ];
  if (options.json) {
    const rows = results.map(({ fault: { room, name, path }, ...outcome }) => ({
      room,
      name,
      path,
      ...outcome,
    }));
    console.log(JSON.stringify({ planted: results.length, caught, survived, broken, faults: rows }, null, 2));
    return;
  }
  const total = planted.flat().length;
  const share = STEP === 1 ? '' : ` (one in ${STEP} of ${total}; --all plants all)`;
  const untried = broken === 0 ? '' : `, ${broken} could not be tried`;
  console.log(
    `${results.length} planted, ${caught} caught, ${survived} survived${untried}${share} in ${seconds.toFixed(0)} s`,
  );
}

if (options.list) {
  for (const { room, path, name } of faults) console.log(`${room}: ${name} (${path})`);
} else if (faults.length === 0) {
  console.error(`no fault matches ${options.only} in its room, path or name`);
  process.exitCode = 2;
} else {
  const results = await run();
  printScore(results, performance.now() / 1000);
  if (count(results, 'caught') !== results.length) process.exitCode = 1;
}
