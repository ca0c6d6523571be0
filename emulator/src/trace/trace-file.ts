import { closeSync, fchmodSync, lstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { EmulatorError } from '../errors.js';
import { type RecordedDevice, type Recorder, record } from './recorder.js';
import { type RecordedFailure, type Trace, TraceFormat } from './trace.js';

const OWNER_ONLY = 0o600;

/** A trace could not be written. */
export class TraceWriteError extends EmulatorError {
  override readonly name = 'TraceWriteError';
  constructor(path: string, cause: Error) {
    super('TRACE_UNWRITABLE', `cannot write ${path}: ${cause.message}`, { cause });
  }
}

/** Records a session into a file that only its owner can read. Each step is written when it is complete. */
export class TraceFile {
  #file: number | undefined;
  /** Text that waits until the file is open. */
  #unwritten = '';
  readonly #recorder: Recorder;
  readonly #format: TraceFormat;
  #failure: TraceWriteError | undefined;
  #closed = false;

  /** Starts recording. Before `open`, the trace is kept in memory. Throws RECORD_DURING_REVIEW. */
  constructor(
    emulator: RecordedDevice,
    readonly path: string,
  ) {
    bindMembers(this);
    let format: TraceFormat | undefined;
    this.#recorder = record(emulator, step => this.#write(format!.step(step)));
    format = new TraceFormat(this.#recorder.trace);
    this.#format = format;
    this.#write(format.head());
  }

  /**
   * Opens the file, replacing an existing file. Writes all steps so far, and later each new step. Throws
   * TraceWriteError.
   */
  open(): this {
    this.#file = openOwn(this.path);
    this.#write(this.#unwritten);
    this.#unwritten = '';
    return this;
  }

  /** Adds the failure of a test. Only the first failure is kept. */
  fail(describe: (trace: Trace) => RecordedFailure): void {
    const { trace } = this.#recorder;
    if (trace.failure || this.#closed) return;
    trace.failure = describe(trace);
    this.#write(this.#format.failure());
  }

  /** Ends the trace. Throws TraceWriteError if a part of the file could not be written. */
  close(): void {
    if (this.#closed) return;
    this.#recorder.stop();
    this.#closed = true;
    if (this.#file !== undefined) closeSync(this.#file);
    if (this.#failure) throw this.#failure;
  }

  /** Keeps an error until `close`, because a full disk must not stop the device. */
  #write(text: string): void {
    if (this.#failure || this.#closed) return;
    if (this.#file === undefined) {
      this.#unwritten += text;
      return;
    }
    try {
      writeSync(this.#file, text);
    } catch (error) {
      this.#failure = new TraceWriteError(this.path, error as Error);
    }
  }
}

function openOwn(path: string): number {
  try {
    removeOther(path);
    const file = openSync(path, 'w', OWNER_ONLY);
    fchmodSync(file, OWNER_ONLY);
    return file;
  } catch (error) {
    throw new TraceWriteError(path, error as Error);
  }
}

/** Removes the name of an existing file: a session that still writes to it can continue. */
function removeOther(path: string): void {
  try {
    if (lstatSync(path).isFile()) rmSync(path);
  } catch {
    // The file does not exist, or it cannot be removed and will be overwritten.
  }
}
