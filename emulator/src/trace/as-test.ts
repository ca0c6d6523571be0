import { invalidInputError } from '@zbc-signer/chain';
import { type RecordedStep, type Trace, TraceSeedError } from './trace.js';

/** The test runners for which a trace can be converted to a test. */
export type TestRunner = 'jest' | 'vitest' | 'node' | 'pytest';

/** How a test is written for a runner. */
interface Dialect {
  head: readonly string[];
  shows(texts: readonly string[]): string;
  answers(call: string, reply: string): string;
  fails(call: string): string;
}

const IMPORT = "import { Emulator } from '@zbc-signer/emulator';";

const withExpect = (head: readonly string[]): Dialect => ({
  head,
  shows: texts => `expect(emulator).toShow(${listOf(texts)});`,
  answers: (call, reply) => `expect(Buffer.from(await ${call}).toString('hex')).toBe('${reply}');`,
  fails: call => `await expect(${call}).rejects.toThrow();`,
});

const DIALECTS: Readonly<Record<Exclude<TestRunner, 'pytest'>, Dialect>> = {
  jest: withExpect([IMPORT, "import '@zbc-signer/emulator/jest';"]),
  vitest: withExpect([
    IMPORT,
    "import '@zbc-signer/emulator/vitest';",
    "import { afterAll, expect, test } from 'vitest';",
  ]),
  node: {
    head: [
      "import assert from 'node:assert/strict';",
      "import { after as afterAll, test } from 'node:test';",
      IMPORT,
    ],
    shows: texts => `assert.deepEqual(emulator.texts(), ${listOf(texts)});`,
    answers: (call, reply) => `assert.equal(Buffer.from(await ${call}).toString('hex'), '${reply}');`,
    fails: call => `await assert.rejects(${call});`,
  },
};

/**
 * Renders a session as a test: a JavaScript module for Jest, Vitest or Node's runner, or Python for pytest.
 * The test repeats the commands and presses, and expects every reply and the texts of every screen. Throws
 * TraceSeedError, or INVALID_INPUT if a test for pytest cannot repeat the session.
 */
export function renderTest(trace: Trace, runner: TestRunner, name: string): string {
  if (trace.seed === 'other') throw new TraceSeedError();
  if (runner === 'pytest') return renderPython(trace, name);
  const { head, ...dialect } = DIALECTS[runner];
  const { seed, settings, start, steps } = trace;
  const options = [
    ...(seed === 'none' ? ['seed: null'] : []),
    ...(settings === null ? [] : [`settings: Buffer.from('${settings}', 'hex')`]),
  ];
  const writer = new StepWriter(dialect);
  return [
    ...head,
    '',
    `const emulator = await Emulator.start(${options.length === 0 ? '' : `{ ${options.join(', ')} }`});`,
    'afterAll(() => emulator.stop());',
    '',
    `test(${quote(name)}, async () => {`,
    ...[dialect.shows(start.texts), ...steps.flatMap(step => writer.write(step)), ...writer.end()].map(
      line => `  ${line}`,
    ),
    '});',
    '',
  ].join('\n');
}

class StepWriter {
  #replies = 0;
  #waiting: string | undefined;

  constructor(private readonly dialect: Omit<Dialect, 'head'>) {}

  write(step: RecordedStep): string[] {
    return [...this.#act(step), this.dialect.shows(step.screen.texts)];
  }

  /** Cancels a command whose review was not decided. */
  end(): string[] {
    return this.#waiting === undefined ? [] : this.#drop('cancel');
  }

  #act(step: RecordedStep): string[] {
    if ('button' in step) return [`emulator.press('${step.button}');`, ...this.#decide(step.reply)];
    if ('cancel' in step) return this.#drop('cancel');
    if ('restart' in step) return this.#drop('restart');
    // A command of another host changes nothing.
    if (step.elsewhere) return [];
    if (step.reply !== null) return [this.dialect.answers(exchange(step.apdu), step.reply)];
    this.#waiting = `reply${++this.#replies}`;
    return [`const ${this.#waiting} = ${exchange(step.apdu)};`];
  }

  #decide(reply: string | undefined): string[] {
    if (reply === undefined || this.#waiting === undefined) return [];
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return [this.dialect.answers(waiting, reply)];
  }

  /** Writes a call that ends the open review, and expects its command to reject. */
  #drop(call: 'cancel' | 'restart'): string[] {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return [`emulator.${call}();`, ...(waiting === undefined ? [] : [this.dialect.fails(waiting)])];
  }
}

const exchange = (apdu: string): string => `emulator.exchange(Buffer.from('${apdu}', 'hex'))`;

const bytes = (hex: string): string => `bytes.fromhex("${hex}")`;

/** Quotes text for JavaScript and Python. Characters outside ASCII are escaped, because some end a line. */
const quote = (text: string): string =>
  JSON.stringify(text).replace(
    /[^ -~]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const listOf = (texts: readonly string[]): string => `[${texts.map(quote).join(', ')}]`;

/** The test uses the fixture of the package for pytest. */
function renderPython({ seed, start, steps, settings }: Trace, name: string): string {
  if (seed === 'none')
    throw invalidInputError(
      'a test in Python needs a seed, but the device of this session was locked and had none',
    );
  if (settings !== null)
    throw invalidInputError(
      'a test in Python starts with the default settings, but this session started with stored settings',
    );
  let waiting = false;
  const lines = [`zbc_signer.shows(${listOf(start.texts)})`];
  for (const step of steps) {
    if ('apdu' in step && step.elsewhere) continue;
    if ('apdu' in step && step.reply === null) {
      lines.push(`reply = zbc_signer.begin(${bytes(step.apdu)})`);
      waiting = true;
    } else if ('apdu' in step)
      lines.push(`assert zbc_signer.exchange(${bytes(step.apdu)}) == ${bytes(step.reply!)}`);
    else if ('button' in step) {
      lines.push(`zbc_signer.press("${step.button}")`);
      if (step.reply !== undefined) lines.push(`assert reply.result(10) == ${bytes(step.reply)}`);
      waiting &&= step.reply === undefined;
    } else throw invalidInputError('a test in Python can neither cancel a review nor cut the power');
    lines.push(`zbc_signer.shows(${listOf(step.screen.texts)})`);
  }
  if (waiting)
    throw invalidInputError(
      'the session ends during a review, and a test in Python would wait for its decision',
    );
  const title = name.replace(/\W+/g, '_').toLowerCase();
  return [`def test_${title}(zbc_signer):`, ...lines.map(line => `    ${line}`), ''].join('\n');
}
