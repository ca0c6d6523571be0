import { cleanText } from '@zbc-signer/chain';
import { drawScreen } from '@zbc-signer/emulator/screen-art';
import type { TraceStep } from '@zbc-signer/emulator/trace';
import { formatColumns } from '../../output/table.js';

/** Prints one line per step. */
export function formatSteps(steps: readonly TraceStep[]): string {
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

/** Prints why the session failed a test, with the expected screen. */
function describeFailure({ step, failure }: TraceStep): string {
  const { message, test, expected } = failure!;
  return [
    `Failed at step ${step}${test === undefined ? '' : `: ${cleanText(test)}`}`,
    // Spaces are kept, because they align the columns of a difference.
    ...message.split('\n').map(line => line.replace(/[^ ]+/g, word => cleanText(word))),
    ...(expected === undefined ? [] : [`Expected  ${cleanText(expected.texts.join(' / '))}`.trimEnd()]),
    ...(expected?.frame ? [drawScreen(expected.frame)] : []),
  ].join('\n');
}

/** A step in JSON; `frame` is base64. */
export function stepJson({ frame, atMs, tookMs, failure, ...step }: TraceStep): Record<string, unknown> {
  const { expected, ...rest } = failure ?? {};
  const pixels = expected?.frame && Buffer.from(expected.frame).toString('base64');
  const failed = { ...rest, expected: expected && { texts: expected.texts, frame: pixels } };
  return {
    ...step,
    at_ms: atMs,
    took_ms: tookMs,
    frame: Buffer.from(frame).toString('base64'),
    ...(failure && { failure: failed }),
  };
}
