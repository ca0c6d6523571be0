// Runs command lines one after another. testkit/process/cli.ts starts this program. For each command,
// `main.js` is evaluated with the arguments, the environment and the stdin of the command; its imports are
// loaded only once. A command is finished when it has an exit code and no open handles, as at the end of a
// process.
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CommandLine {
  words: readonly string[];
  env: Record<string, string>;
  stdin: string;
}

const [program = ''] = process.argv.slice(2);
const POLL_MS = 1;
/** Standard streams. They are opened here, before handles are counted. */
const STREAMS = { stdout: process.stdout, stderr: process.stderr };
let runs = 0;
/** The loaded CommonJS files, such as those of the bundle. */
const { cache } = createRequire(import.meta.url);

/** Returns the number of handles of each kind that keep the process alive. */
function openHandles(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

async function untilClosed(before: ReadonlyMap<string, number>): Promise<void> {
  while ([...openHandles()].some(([kind, count]) => count > (before.get(kind) ?? 0)))
    await setTimeout(POLL_MS);
}

/** Adds the output of a standard stream of this process to the result. */
function capture(result: CliResult, name: 'stdout' | 'stderr'): void {
  STREAMS[name].removeAllListeners('error');
  STREAMS[name].write = (chunk: string | Uint8Array) => {
    result[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  };
}

async function run(
  { words, env, stdin }: CommandLine,
  before: ReadonlyMap<string, number>,
): Promise<CliResult> {
  const result: CliResult = { code: null, stdout: '', stderr: '' };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
  capture(result, 'stdout');
  capture(result, 'stderr');
  process.argv = [process.execPath, program, ...words];
  // The object is modified and not replaced, because Node reads some variables, such as HOME, from the
  // system.
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = undefined;
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(stdin)]) });
  runs += 1;
  delete cache[program];
  const { ended }: { ended: Promise<void> } = await import(`${pathToFileURL(program).href}?run=${runs}`);
  await ended;
  await untilClosed(before);
  result.code = Number(process.exitCode ?? 0);
  return result;
}

process.on('disconnect', () => process.exit(1));
let previous: Promise<unknown> = Promise.resolve();
process.on('message', (line: CommandLine) => {
  previous = previous.then(async () => {
    const before = openHandles();
    process.send!(await run(line, before));
  });
});
