import { basename } from 'node:path';
import { cleanText } from '@zbc-signer/chain';
import type { Trace } from '@zbc-signer/emulator';
import { drawScreen } from '@zbc-signer/emulator/screen-art';
import type { TraceStep } from '@zbc-signer/emulator/trace';
import { exitCode } from '../errors/exit-codes.js';
import { readBytes, requireOtherFile, writeBytes } from '../input/files.js';
import { formatColumns } from '../output/table.js';
import { defineCommand } from '../parser/command.js';
import {
  explainFirmwareError,
  FIRMWARE_OPTION,
  readFirmwareOption,
  readSeed,
  SEED_OPTION,
} from './emulator.js';

const MAX_TRACE_BYTES = 64 * 1024 * 1024;

/** The argument of every command that reads a trace. */
const TRACE_ARGUMENT = {
  demandOption: true,
  describe: 'trace of a session; - reads stdin',
} as const;

/** Throws UsageError, or TraceError if the file is not a trace. */
async function readTrace(path: string, signal: AbortSignal): Promise<Trace> {
  const { parseTrace } = await import('@zbc-signer/emulator');
  return parseTrace((await readBytes('the trace', path, MAX_TRACE_BYTES, signal)).toString('utf8'));
}

/** Prints one line per step. */
function formatSteps(steps: readonly TraceStep[]): string {
  const titles = ['Step', 'Seconds', 'Input', 'Reply', 'Screen'];
  const rows = steps.map(({ step, atMs, words, reply, texts }) => [
    `${step}`,
    (atMs / 1000).toFixed(3),
    cleanText(words),
    reply?.status ?? '',
    cleanText(texts.join(' / ')),
  ]);
  const failed = steps.filter(({ failure }) => failure !== undefined);
  return [formatColumns(titles, rows, 'no step'), ...failed.map(describeFailure)].join('\n');
}

/** Prints why the session failed a test, with the expected screen and that of a real device. */
function describeFailure({ step, failure }: TraceStep): string {
  const { message, test, expected, shown } = failure!;
  return [
    `Failed at step ${step}${test === undefined ? '' : `: ${cleanText(test)}`}`,
    // Spaces are kept, because they align the columns of a difference.
    ...message.split('\n').map(line => line.replace(/[^ ]+/g, word => cleanText(word))),
    ...(expected === undefined ? [] : [`Expected  ${cleanText(expected.texts.join(' / '))}`.trimEnd()]),
    ...(expected?.frame ? [drawScreen(expected.frame)] : []),
    ...(shown ? ['Shown', drawScreen(shown)] : []),
  ].join('\n');
}

/** A step in JSON; `frame` is base64. */
function stepJson({ frame, atMs, tookMs, failure, ...step }: TraceStep): Record<string, unknown> {
  const { expected, shown, ...rest } = failure ?? {};
  const base64 = (pixels: Uint8Array | undefined) => pixels && Buffer.from(pixels).toString('base64');
  const failed = {
    ...rest,
    expected: expected && { texts: expected.texts, frame: base64(expected.frame) },
    shown: base64(shown),
  };
  return {
    ...step,
    at_ms: atMs,
    took_ms: tookMs,
    frame: Buffer.from(frame).toString('base64'),
    ...(failure && { failure: failed }),
  };
}

const open = defineCommand({
  arguments: { file: TRACE_ARGUMENT },
  options: { html: { describe: 'write one HTML file with every screen, which works offline' } },
  examples: [['$0 trace open a.trace --html a.html', 'then open a.html in a browser']],
  notes:
    'The command lists the steps; the page of --html shows every screen. A trace contains commands, replies and' +
    ' screens, but no seed.',

  async run({ file, html }, terminal) {
    const { describeTrace, renderTracePage } = await import('@zbc-signer/emulator/trace');
    if (html !== undefined) await requireOtherFile(file, '--html', html);
    const trace = await readTrace(file, terminal.signal);
    const last = trace.steps.length;
    if (html !== undefined) {
      const page = renderTracePage(trace, basename(file));
      await writeBytes(html, page, { secret: true, force: true });
      const bytes = Buffer.byteLength(page);
      return { json: { file: html, bytes, steps: last }, text: `${html}: ${last} steps, ${bytes} bytes` };
    }
    const steps = describeTrace(trace);
    const failedAt = trace.failure?.step ?? null;
    return {
      json: terminal.json && { seed: trace.seed, failed_at: failedAt, steps: steps.map(stepJson) },
      text: formatSteps(steps),
    };
  },
});

const replayCommand = defineCommand({
  arguments: { file: TRACE_ARGUMENT },
  options: { ...FIRMWARE_OPTION, ...SEED_OPTION },
  examples: [['$0 trace replay a.trace --firmware new.wasm', 'the first step that differs with new.wasm']],
  notes: `The exit code is ${exitCode('nonconforming')} if a screen or reply differs.`,

  async run(options, terminal) {
    const { replay, ReplayMismatchError } = await import('@zbc-signer/emulator');
    const { describeTrace } = await import('@zbc-signer/emulator/trace');
    const trace = await readTrace(options.file, terminal.signal);
    const seed = await readSeed(options.seed, terminal.signal);
    const firmware = await readFirmwareOption(options.firmware, terminal.signal);
    const steps = trace.steps.length;
    try {
      await replay(trace, { seed, module: firmware && (await WebAssembly.compile(firmware)) });
      return { json: { same: true, steps }, text: `All ${steps} steps are as recorded.` };
    } catch (error) {
      if (!(error instanceof ReplayMismatchError)) throw explainFirmwareError(error, options.firmware);
      terminal.exitCode = exitCode('nonconforming');
      const { step, expected, actual, actualFrame } = error;
      const recorded = describeTrace(trace)[step]!;
      const [before, now] = [expected, actual].map(each =>
        'screen' in each ? each.screen.texts : each.texts,
      );
      const [reply, newReply] = [expected, actual].map(each => ('reply' in each ? each.reply : undefined));
      const words = cleanText(recorded.words);
      return {
        json: {
          same: false,
          step,
          steps,
          words,
          recorded: { texts: before!, reply: reply ?? null },
          actual: { texts: now!, reply: newReply ?? null },
        },
        text: [
          `Step ${step} of ${steps} is the first that differs: ${words}`,
          ...(reply === newReply ? [] : [`Reply     recorded ${reply ?? 'none'}, now ${newReply ?? 'none'}`]),
          `Recorded  ${cleanText(before!.join(' / '))}`,
          drawScreen(recorded.frame),
          `Now       ${cleanText(now!.join(' / '))}`,
          drawScreen(actualFrame),
        ].join('\n'),
      };
    }
  },
});

const testCommand = defineCommand({
  arguments: { file: TRACE_ARGUMENT },
  options: {
    for: {
      choices: ['jest', 'vitest', 'node', 'pytest'] as const,
      default: 'jest',
      describe: 'test runner for which the test is printed',
    },
  },
  examples: [['$0 trace test a.trace > a.test.mjs', 'then run it in Jest']],
  notes:
    'The test sends the commands and presses the buttons of the session, and expects the same replies and texts.' +
    ' With pytest, the test uses the REST interface of a running emulator.',

  async run({ file, for: runner }, terminal) {
    const { renderTest } = await import('@zbc-signer/emulator/trace');
    const trace = await readTrace(file, terminal.signal);
    const name = trace.failure?.test ?? basename(file, '.trace');
    const source = renderTest(trace, runner, name);
    return { json: { for: runner, source }, text: source.trimEnd() };
  },
});

export const commands = { open, replay: replayCommand, test: testCommand };
