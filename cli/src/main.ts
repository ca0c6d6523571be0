import { exitCode } from './errors/exit-codes.js';
import { Terminal } from './output/terminal.js';
import { packageVersion } from './package-version.js';

const STACK_VARIABLE = 'ZBC_SIGNER_STACK';
/** Time that a command has to clean up after its output could not be written. */
const CLEANING_UP_MS = 10_000;
/** Time that a reader has to read the output of an interrupted command. */
const READING_MS = 2000;
let hasEnded = false;

/** `exit` is set after standard output has failed, to the exit code if the command itself did not fail. */
interface Output {
  exit?: number;
}

/** Runs one command line; resolves with the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  const terminal = new Terminal(asksForJson(args), interruption.signal);
  listenForInterruption(interruption, terminal);
  const output = listenForOutputErrors(interruption, terminal);
  try {
    await run(args, terminal);
    return terminal.exitCode || (output.exit ?? 0);
  } catch (error) {
    return output.exit ?? (await reportFailure(terminal, error));
  } finally {
    terminal.close();
    // A pipe without a reader would keep the process running.
    if (interruption.signal.aborted) setTimeout(() => process.exit(), READING_MS).unref();
  }
}

async function run(args: readonly string[], terminal: Terminal): Promise<void> {
  if (ownWords(args).some(word => word === '--version' || word === '-V')) {
    const version = packageVersion();
    process.stdout.write(`${terminal.json ? JSON.stringify({ host_version: version }) : version}\n`);
    return;
  }
  const { runCommandLine } = await import('./parser/parser.js');
  const { COMMAND_GROUPS } = await import('./commands.js');
  await runCommandLine(args, terminal, packageVersion(), COMMAND_GROUPS);
}

/** Removes the arguments after `--`, which are not options. */
function ownWords(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

function asksForJson(args: readonly string[]): boolean {
  return ownWords(args).some(word => word === '--json' || word === '--json-input');
}

/**
 * The first Ctrl-C aborts the command, which cleans up. The second Ctrl-C exits at once and reports the
 * payment that may have been sent. Closing the terminal does the same, except that a second signal of the
 * terminal is ignored, because shell and kernel may each send one. A gateway handles this signal itself.
 */
function listenForInterruption(interruption: AbortController, terminal: Terminal): void {
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (interruption.signal.aborted) {
        if (terminal.lastWords !== '') terminal.warn(terminal.lastWords);
        process.exit(exitCode('interrupted'));
      }
      interruption.abort();
    });
  }
  process.on('SIGHUP', () => {
    if (process.listenerCount('SIGHUP') === 1) interruption.abort();
  });
}

/**
 * Aborts the command if its output cannot be written; an earlier failure keeps its exit code. Progress does
 * not count as output: a payment continues without a reader.
 */
function listenForOutputErrors(interruption: AbortController, terminal: Terminal): Output {
  const output: Output = {};
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // The reader closed the pipe, as `head` does.
    const isClosed = code === 'EPIPE';
    if (!isClosed) process.stderr.write(`error: cannot write to standard output: ${code}\n`);
    if (output.exit === undefined && terminal.lastWords !== '') {
      process.stderr.write(`${terminal.lastWords}\n`);
    }
    output.exit ??= exitCode(isClosed ? 'ok' : 'outputLost');
    if (hasEnded) process.exit(process.exitCode || output.exit);
    interruption.abort();
    setTimeout(() => process.exit(output.exit), CLEANING_UP_MS).unref();
  });
  return output;
}

async function reportFailure(terminal: Terminal, error: unknown): Promise<number> {
  terminal.close();
  const { describeFailure, describeInterrupted, failureJson } = await import('./errors/failure.js');
  const failure = terminal.signal.aborted
    ? describeInterrupted(error, terminal.interruptionHint)
    : describeFailure(error);
  const hint = failure.hint === undefined ? '' : `\n${failure.hint}`;
  const label = failure.exit === exitCode('altered') ? 'ALARM:' : 'error:';
  const words = `${terminal.style('red', label)} ${failure.message}${hint}`;
  if (terminal.json) {
    terminal.lastWords = words;
    process.stdout.write(`${failureJson(failure)}\n`);
  } else {
    process.stderr.write(`${words}\n`);
  }
  if (process.env[STACK_VARIABLE] === '1' && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return failure.exit;
}

// A process that ends before its command does has a bug.
process.exitCode = exitCode('unexpected');
/** Resolves when the command has ended. */
export const ended: Promise<void> = main(process.argv.slice(2)).then(code => {
  hasEnded = true;
  process.exitCode = code;
});
