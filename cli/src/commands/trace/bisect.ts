import { cleanText } from '@zbc-signer/chain';
import type { Trace } from '@zbc-signer/emulator';
import { drawScreen } from '@zbc-signer/emulator/screen-art';
import type { TraceExpectation, TraceFault, TraceStep } from '@zbc-signer/emulator/trace';
import { UsageError } from '../../errors/errors.js';
import { exitCode } from '../../errors/exit-codes.js';
import { explainFirmwareError, FIRMWARE_OPTION, readFirmwareOption } from '../../input/firmware.js';
import type { Outcome } from '../../output/terminal.js';
import { defineCommand } from '../../parser/command.js';
import { readSeed, SEED_OPTION } from '../emulator/serving.js';
import { readTrace, TRACE_ARGUMENT } from './file.js';

const RECORDED = 'recorded';

export const command = defineCommand({
  arguments: { file: TRACE_ARGUMENT },
  options: {
    expect: {
      describe: `${RECORDED} expects the recorded screens and replies; TITLE=VALUE expects this value in every item with this title [${RECORDED}]`,
    },
    ...FIRMWARE_OPTION,
    ...SEED_OPTION,
  },
  examples: [
    ['$0 trace bisect a.trace --firmware new.wasm', 'the first step that looks different with new.wasm'],
    ["$0 trace bisect a.trace --expect 'Amount=1 ZBC'", 'the first step that shows another amount'],
  ],
  notes: `The exit code is ${exitCode('nonconforming')} if there is such a step.`,

  async run(options, terminal) {
    const { bisectTrace, describeTrace } = await import('@zbc-signer/emulator/trace');
    const trace = await readTrace(options.file, terminal.signal);
    const expectation = parseExpectation(options.expect ?? RECORDED);
    if (expectation !== RECORDED) checkTitle(expectation.title, trace);
    const seed = await readSeed(options.seed, terminal.signal);
    const firmware = await readFirmwareOption(options.firmware, terminal.signal);
    const fault = await bisectTrace(trace, expectation, {
      seed,
      firmware,
      signal: terminal.signal,
    }).catch(error => {
      throw explainFirmwareError(error, options.firmware);
    });
    const { length } = trace.steps;
    if (fault === undefined)
      return { json: { holds: true, steps: length }, text: `The expectation holds in all ${length} steps.` };
    terminal.exitCode = exitCode('nonconforming');
    return describeFault(fault, describeTrace(trace)[fault.step]!, expectation, length);
  },
});

function parseExpectation(text: string): TraceExpectation {
  if (text === RECORDED) return RECORDED;
  const [, title, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (title === undefined || value === undefined) {
    throw new UsageError(
      `--expect must be the word ${RECORDED}, or the title and value of an item, such as 'Amount=1 ZBC'`,
    );
  }
  return { title, value };
}

/** Rejects an item that appears on no screen, because every expectation about this item would hold. */
function checkTitle(title: string, { start, steps }: Trace): void {
  const screens = [start, ...steps.map(({ screen }) => screen)];
  if (screens.some(({ texts }) => texts[0]?.startsWith(title))) return;
  throw new UsageError(
    `--expect: no screen of the trace has the title ${title}`,
    '`zbc-signer trace open` lists the screens of the trace.',
  );
}

function describeFault(
  fault: TraceFault,
  step: TraceStep,
  expectation: TraceExpectation,
  steps: number,
): Outcome {
  const { expected, actual, expectedReply, actualReply } = fault;
  const pixels = countDifferent(expected.frame, actual.frame);
  const shown = (texts: readonly string[]) => cleanText(texts.join(' / '));
  const replies =
    expectedReply === actualReply
      ? []
      : [`Reply     recorded ${expectedReply ?? 'none'}, now ${actualReply ?? 'none'}`];
  return {
    json: {
      holds: false,
      step: fault.step,
      steps,
      words: cleanText(step.words),
      differing_pixels: pixels,
      recorded: { texts: expected.texts, reply: expectedReply ?? null },
      actual: { texts: actual.texts, reply: actualReply ?? null },
    },
    text: [
      `Step ${fault.step} of ${steps} is the first that differs: ${cleanText(step.words)}`,
      ...(expectation === RECORDED
        ? []
        : [`Expected  ${cleanText(`${expectation.title}: ${expectation.value}`)}`]),
      ...replies,
      `Recorded  ${shown(expected.texts)}`,
      ...(pixels === 0 ? [] : [drawScreen(expected.frame)]),
      `Now       ${shown(actual.texts)}${pixels === 0 ? '' : `: ${describePixels(pixels)}`}`,
      drawScreen(actual.frame),
    ].join('\n'),
  };
}

const describePixels = (count: number): string =>
  count === 1 ? '1 pixel differs' : `${count} pixels differ`;

function countDifferent(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  for (const [at, byte] of a.entries()) {
    for (let bits = byte ^ b[at]!; bits !== 0; bits &= bits - 1) count++;
  }
  return count;
}
