import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RecordedDevice, type Recorder, record } from './recorder.js';
import {
  formatTrace,
  MAX_MESSAGE,
  MAX_TEXT_LENGTH,
  type RecordedFailure,
  type RecordedScreen,
  recordFrame,
  type Trace,
} from './trace.js';
import { TraceFile, TraceWriteError } from './trace-file.js';

const DIRECTORY_VARIABLE = 'ZBC_SIGNER_TRACE_DIRECTORY';
/** This number of steps takes about 10 MB if every screen differs. */
const MAX_STEPS_IN_MEMORY = 10_000;
const OWNER_ONLY = 0o600;

/** The failed expectation and its place in the test. */
export interface SessionFailure extends Pick<RecordedFailure, 'message'> {
  test?: string | undefined;
  /**
   * Returns whether a screen is the one that differs. The last such screen counts. Default: the last screen.
   */
  isShown?: ((screen: RecordedScreen) => boolean) | undefined;
  /** Number of the step that differs, in place of `isShown`. */
  step?: number | undefined;
  expected?: { texts: readonly string[]; frame?: Uint8Array | undefined } | undefined;
  /** The frame that a real device showed. */
  shown?: Uint8Array | undefined;
}

let sessions = 0;
let temporary: string | undefined;

/**
 * The trace of one emulator from its start. If ZBC_SIGNER_TRACE_DIRECTORY is set, the trace is in a file of
 * that directory. Otherwise it is in memory until `keep` is called.
 */
export class TraceKeeper {
  readonly #name = `${timeStamp()}-${process.pid}-${++sessions}.trace`;
  readonly #file: TraceFile | undefined;
  #recorder: Recorder | undefined;
  #steps = 0;

  /** Throws TraceWriteError. */
  constructor(emulator: RecordedDevice) {
    const directory = process.env[DIRECTORY_VARIABLE] ?? '';
    if (directory === '') {
      this.#recorder = record(emulator, () => this.#bound());
    } else {
      this.#file = new TraceFile(emulator, join(makeDirectory(directory), this.#name)).open();
      // If nobody awaited a call, its failure is added to the trace one turn of the event loop after the
      // stop.
      emulator.on(
        'stop',
        () =>
          void nextTurn()
            .then(nextTurn)
            .then(() => this.#close()),
      );
    }
  }

  /**
   * Writes the trace so far, and returns its path. Returns undefined without a trace, or if writing fails.
   */
  keep(failure?: SessionFailure): string | undefined {
    const describe = (trace: Trace) => recordFailure(failure!, trace);
    if (failure) this.#file?.fail(describe);
    if (this.#file) return this.#file.path;
    if (!this.#recorder) return undefined;
    const { trace } = this.#recorder;
    if (failure) trace.failure ??= describe(trace);
    try {
      // The directory may have been deleted: some systems clean up /tmp while a test watcher runs for days.
      if (temporary === undefined || !existsSync(temporary)) {
        temporary = mkdtempSync(join(tmpdir(), 'zbc-signer-traces-'));
      }
      const path = join(temporary, this.#name);
      writeFileSync(path, formatTrace(trace), { mode: OWNER_ONLY });
      return path;
    } catch {
      // The failure of the test matters more than this error.
      return undefined;
    }
  }

  /** Ends the trace at a limit, because a soak test that runs for days would fill the memory. */
  #bound(): void {
    if (++this.#steps <= MAX_STEPS_IN_MEMORY) return;
    this.#recorder?.stop();
    this.#recorder = undefined;
  }

  #close(): void {
    try {
      this.#file?.close();
    } catch (error) {
      process.emitWarning((error as Error).message);
    }
  }
}

function recordFailure(
  { message, test, expected, shown, isShown = () => true, ...place }: SessionFailure,
  { start, steps, frames }: Trace,
): RecordedFailure {
  const screens = [start, ...steps.map(({ screen }) => screen)];
  const step = place.step ?? screens.findLastIndex(isShown);
  const frame = expected?.frame && recordFrame(expected.frame, frames);
  return {
    step: step < 0 ? steps.length : Math.min(step, steps.length),
    message: message.slice(0, MAX_MESSAGE),
    ...(test !== undefined && { test: test.slice(0, MAX_TEXT_LENGTH) }),
    ...(expected && {
      expected: {
        texts: expected.texts.map(text => text.slice(0, MAX_TEXT_LENGTH)),
        ...(frame && { frame }),
      },
    }),
    ...(shown && { shown: recordFrame(shown, frames) }),
  };
}

/** File names sort by this time. */
const timeStamp = (): string => new Date().toISOString().replace(/[:.]/g, '-');

function makeDirectory(path: string): string {
  const directory = resolve(path);
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    throw new TraceWriteError(directory, error as Error);
  }
  return directory;
}
