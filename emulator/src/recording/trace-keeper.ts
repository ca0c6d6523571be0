import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type RecordedDevice, type Recorder, record } from './recorder.js';
import { formatRecording } from './recording.js';
import { TraceFile, TraceWriteError } from './trace-file.js';

const DIRECTORY_VARIABLE = 'ZBC_SIGNER_TRACE_DIRECTORY';
/** Some 10 MB when every screen is another. */
const MAX_STEPS_IN_MEMORY = 10_000;
const OWNER_ONLY = 0o600;

let sessions = 0;
let temporary: string | undefined;

/**
 * The trace of one emulator from its start: in a file of the directory that ZBC_SIGNER_TRACE_DIRECTORY names,
 * or in memory until somebody wants to keep it.
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
      this.#file = new TraceFile(emulator, join(makeDirectory(directory), this.#name));
      emulator.on('stop', () => this.#close());
    }
  }

  /** The path of the trace so far; undefined when there is none or it cannot be written. */
  keep(): string | undefined {
    if (this.#file) return this.#file.path;
    if (!this.#recorder) return undefined;
    try {
      // Some clean up /tmp while a watcher of tests runs for days.
      if (temporary === undefined || !existsSync(temporary)) {
        temporary = mkdtempSync(join(tmpdir(), 'zbc-signer-traces-'));
      }
      const path = join(temporary, this.#name);
      writeFileSync(path, formatRecording(this.#recorder.recording), { mode: OWNER_ONLY });
      return path;
    } catch {
      // The failure of the test matters more.
      return undefined;
    }
  }

  /** A soak of days would fill the memory. */
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

/** Files sort by it. */
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
