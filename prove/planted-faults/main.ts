// Mutation testing: applies the faults one at a time to copies of the repository and runs the tests (see
// README.md).
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { openDirectory } from '../../testkit/process/temporary-directory.js';
import { copySources, outputDirectories } from '../../testkit/repository/source-copy.js';
import { buildAll } from './build.js';
import { faultsOf, type PlantedFault } from './fault.js';
import * as modules from './faults/index.js';
import { runFailures, runTests } from './test-run.js';
import { describe, type Outcome, tryFault } from './trial.js';

interface Result extends Outcome {
  fault: PlantedFault;
  seconds: number;
}

/** Maximum number of concurrent jobs. While the tests of one job wait, other jobs use the processor. */
const MAX_JOBS = 3;
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    share: { type: 'string', default: '1' },
  },
});

/** If faults are not chosen by name, one in `share` faults is tried. */
const share = options.only === '' ? Number(options.share) : 1;
const all = Object.values(modules).map(faultsOf);
const chosen = new RegExp(options.only, 'i');
const faults = all
  .flat()
  .filter((_, at) => at % share === 0)
  .filter(({ module, path, name }) => chosen.test(`${module}: ${path}: ${name}`));

function report({ verdict, fault, why, byUnlistedTest, seconds }: Result): void {
  const note = byUnlistedTest ? ' (not a listed test)' : '';
  console.log(
    `${verdict.padEnd(8)} ${fault.module}: ${fault.name} (${fault.guards}) — ${why}${note} [${seconds.toFixed(1)} s]`,
  );
}

/** Creates `count` built copies of the current repository, deleted when the process ends. */
function createWorkspaces(count: number): string[] {
  const directory = openDirectory('planted-faults-');
  const copies = Array.from({ length: count }, (_, at) => join(directory, `${at + 1}`));
  for (const copy of copies) copySources(copy);
  buildAll(copies[0]!);
  for (const copy of copies.slice(1)) {
    for (const output of outputDirectories) {
      cpSync(join(copies[0]!, output), join(copy, output), { recursive: true });
    }
  }
  return copies;
}

/** Tries faults from the shared queue until it is empty. */
async function work(workspace: string, queue: PlantedFault[], results: Result[]): Promise<void> {
  const thread = new Worker(new URL('./build-thread.js', import.meta.url), { workerData: workspace });
  const rebuild = async (path: string) => {
    thread.postMessage(path);
    const [fault] = (await once(thread, 'message')) as [string | undefined];
    if (fault !== undefined) throw new Error(fault);
  };
  for (let fault = queue.shift(); fault; fault = queue.shift()) {
    const start = performance.now();
    const outcome = await tryFault(workspace, fault, rebuild);
    const result = { ...outcome, fault, seconds: (performance.now() - start) / 1000 };
    report(result);
    results.push(result);
  }
  await thread.terminate();
}

/**
 * Throws if a failed test also fails without a fault, because it then detects nothing. Its whole file is run
 * too, because a test may need earlier tests of its file.
 */
async function checkUnmodified(workspace: string, results: readonly Result[]): Promise<void> {
  let failures = results.flatMap(({ failure }) => failure ?? []);
  while (failures.length > 0) {
    const failed = await runFailures(workspace, failures);
    if (!failed) return;
    const alone = await runTests(workspace, [failed.file]);
    if (alone) throw new Error(`a test fails without any fault: ${describe(alone)}`);
    failures = failures.filter(({ file }) => file !== failed.file);
  }
}

async function run(): Promise<Result[]> {
  const jobs = Math.min(MAX_JOBS, faults.length);
  const workspaces = createWorkspaces(jobs);
  const queue = [...faults];
  const results: Result[] = [];
  await Promise.all(workspaces.map(workspace => work(workspace, queue, results)));
  await checkUnmodified(workspaces[0]!, results);
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
  const total = all.flat().length;
  const part = share === 1 ? '' : ` (one in ${share} of ${total})`;
  const untried = broken === 0 ? '' : `, ${broken} could not be tried`;
  console.log(
    `${results.length} mutations, ${caught} caught, ${survived} survived${untried}${part} in ${seconds.toFixed(0)} s`,
  );
}

if (faults.length === 0) {
  console.error(`no fault matches ${options.only} in its module, path or name`);
  process.exitCode = 2;
} else {
  const results = await run();
  printScore(results, performance.now() / 1000);
  if (count(results, 'caught') !== results.length) process.exitCode = 1;
}
