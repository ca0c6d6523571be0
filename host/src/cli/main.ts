#!/usr/bin/env node
import { exitCode } from './exit-codes.js';
import { hostVersion } from './host-version.js';
import { createParser } from './parser.js';
import { Terminal } from './terminal.js';

const TRACE_VARIABLE = 'ZBC_SIGNER_TRACE';

/** Runs one command line; resolves with the exit code. */
async function main(words: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  listenForInterruption(interruption);
  const asksForJson = ownWords(words).some(word => word === '--json' || word === '--json-input');
  const terminal = new Terminal(asksForJson, interruption.signal);
  const parser = createParser(words, terminal, hostVersion());
  try {
    await (words.length === 0 ? parser.parseAsync('--help') : parser.parseAsync([...words]));
    return terminal.exitCode;
  } catch (error) {
    return await tellFailure(terminal, error);
  } finally {
    terminal.close();
  }
}

/** Those before `--`: what follows is for another program. */
function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}

/** The first Ctrl-C ends what is going on in good order, a second one at once. */
function listenForInterruption(interruption: AbortController): void {
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (interruption.signal.aborted) {
        process.exit(exitCode('interrupted'));
      }
      interruption.abort();
    });
  }
  // Whoever read the output has gone, as `head` does.
  process.stdout.on('error', () => process.exit(exitCode('ok')));
}

async function tellFailure(terminal: Terminal, error: unknown): Promise<number> {
  terminal.close();
  const { describeFailure, describeInterruption, failureJson } = await import('./failure.js');
  const failure = terminal.signal.aborted
    ? describeInterruption(terminal.interruptionHint)
    : describeFailure(error);
  if (terminal.json) {
    process.stdout.write(`${failureJson(failure)}\n`);
  } else {
    const hint = failure.hint === undefined ? '' : `\n${failure.hint}`;
    const label = failure.exit === exitCode('altered') ? 'ALARM:' : 'error:';
    process.stderr.write(`${terminal.style('red', label)} ${failure.message}${hint}\n`);
  }
  if (process.env[TRACE_VARIABLE] === '1' && error instanceof Error) {
    process.stderr.write(`${error.stack}\n`);
  }
  return failure.exit;
}

process.exitCode = await main(process.argv.slice(2));
