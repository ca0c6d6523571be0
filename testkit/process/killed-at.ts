// Preloaded into a command that a test kills at an operation on the gateway or the journal. KILLED_AT is
// `before`, `during` or `after`, followed by a number n and the label of an operation. The process is killed
// at the n-th operation with this label, or at the n-th operation of all if the label is `any`. Each label is
// printed to standard error when the operation begins.
import { writeSync } from 'node:fs';
import files, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

type Call = (...given: never[]) => Promise<unknown>;

const [moment = '', times = '', ...words] = (process.env.KILLED_AT ?? '').split(' ');
const STDERR = 2;
const JOURNAL = /\/zbc-signer\/payments/;
/** Names of the journal's files in labels, by pattern. */
const KINDS = [
  [/\.part$/, 'new entry'],
  [/\.json$/, 'entry'],
  [/\.reserved$/, 'timestamp'],
] as const;
/** Maximum delay of a kill during an operation. It lets a request be sent, but not its answer arrive. */
const DURING_MS = 5;

const chosen = words.join(' ');
let left = Number(times);

/** Runs an operation. Kills the process if KILLED_AT names this operation. */
async function operate<Result>(label: string, run: () => Promise<Result>): Promise<Result> {
  const isChosen = (chosen === 'any' || chosen === label) && --left === 0;
  writeSync(STDERR, `operation: ${label}\n`);
  if (isChosen && moment === 'before') end();
  if (isChosen && moment === 'during') setTimeout(end, Math.random() * DURING_MS);
  const result = await run();
  if (isChosen) end();
  return result;
}

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

function watch(owner: object, name: string, labelOf: (first: unknown) => string | undefined): void {
  const call = Reflect.get(owner, name) as Call;
  Reflect.set(owner, name, function (this: unknown, ...given: never[]) {
    const label = labelOf(given[0]);
    const run = () => call.apply(this, given);
    return label === undefined ? run() : operate(label, run);
  });
}

function kindOf(path: unknown): string | undefined {
  if (!JOURNAL.test(`${path}`)) return undefined;
  return KINDS.find(([pattern]) => pattern.test(`${path}`))?.[1] ?? 'directory';
}

for (const name of ['mkdir', 'readdir', 'open', 'rename', 'rm']) {
  watch(files, name, path => {
    const kind = kindOf(path);
    return kind === undefined ? undefined : `${name} ${kind}`;
  });
}
syncBuiltinESMExports();

const handle: FileHandle = await files.open(process.execPath, 'r');
const prototype: object = Object.getPrototypeOf(handle);
await handle.close();
for (const name of ['writeFile', 'sync']) watch(prototype, name, () => name);

const { fetch } = globalThis;
globalThis.fetch = (url, init) => {
  const route = new URL(`${url}`).pathname.replace(/ZBC_\w+/, 'ADDRESS').replace(/[0-9a-f]{64}/, 'HASH');
  return operate(`${init?.method ?? 'GET'} ${route}`, () => fetch(url, init));
};
