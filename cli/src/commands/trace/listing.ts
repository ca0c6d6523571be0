import { cleanText } from '@zbc-signer/chain';
import { drawScreen } from '@zbc-signer/emulator/screen-art';
import type { TraceStep } from '@zbc-signer/emulator/trace';
import { formatColumns, formatTable, type Row } from '../../output/table.js';

/** Formats a time such as `12.345`. */
const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/** Prints one line per step. */
export function formatSteps(steps: readonly TraceStep[]): string {
  const titles = ['Step', 'Seconds', 'Input', 'Reply', 'Screen'];
  const rows = steps.map(({ step, atMs, words, reply, texts }) => [
    `${step}`,
    seconds(atMs),
    cleanText(words),
    reply?.status ?? '',
    cleanText(texts.join(' / ')),
  ]);
  const failed = steps.filter(({ failure }) => failure !== undefined);
  return [formatColumns(titles, rows, 'no step'), ...failed.map(describeFailure)].join('\n');
}

/** Prints all details of one step and draws its screen. */
export function formatStep(step: TraceStep, last: number): string {
  const rows: Row[] = [
    ['Step', `${step.step} of ${last}`],
    ['Time', `${seconds(step.atMs)} s, took ${step.tookMs.toFixed(3)} ms`],
    ['Input', cleanText(step.words)],
    ...(step.hex === undefined ? [] : [['Bytes', step.hex] as const]),
    ...(step.reply === undefined ? [] : replyRows(step)),
    ['Screen', cleanText(step.texts.join(' / '))],
  ];
  return `${formatTable(rows)}\n${drawScreen(step.frame)}${step.failure ? `\n${describeFailure(step)}` : ''}`;
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

function replyRows({ reply, answers }: TraceStep): Row[] {
  if (reply === undefined) return [];
  const words = reply.words === '' ? '' : `: ${cleanText(reply.words)}`;
  return [
    ['Reply', `${reply.status}${words}${answers === undefined ? '' : `, to step ${answers}`}`],
    ['', reply.hex],
  ];
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

/** Whether a step contains a text, ignoring case, in its words, bytes, reply or screen. */
export function hasText({ words, hex, texts, reply }: TraceStep, text: string): boolean {
  const all = [words, hex ?? '', ...texts, reply?.status ?? '', reply?.words ?? '', reply?.hex ?? ''];
  return all.join('\n').toLowerCase().includes(text.toLowerCase());
}
