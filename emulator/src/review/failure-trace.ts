import { EmulatorError, EmulatorStoppedError } from '../errors.js';
import { openCommand } from '../recording/trace-file.js';
import type { SessionFailure } from '../recording/trace-keeper.js';

/** What keeps its trace: an Emulator. */
interface Traced {
  keepTrace(failure?: SessionFailure): string | undefined;
}

/** What a failed expectation knows of the screen. */
type ScreenFault = Pick<SessionFailure, 'expected' | 'isShown'>;

const screenFaults = new WeakMap<Error, ScreenFault>();

/** Says which screen an error is about; returns the error. */
export function withFault<Fault extends Error>(error: Fault, fault: ScreenFault): Fault {
  screenFaults.set(error, fault);
  return error;
}

const failed = new WeakSet<Traced>();

/** Whether an expectation has failed in this session: what it leaves pending is only a consequence. */
export const hasFailed = (emulator: Traced): boolean => failed.has(emulator);

/** Keeps the trace of a session that failed a test; what to add to the message. */
export function noteTrace(emulator: Traced, failure?: SessionFailure): string {
  failed.add(emulator);
  const path = emulator.keepTrace(failure);
  return path === undefined ? '' : `\n\ntrace: ${path}\n${openCommand(path)}`;
}

/** Rejects as the work does; the message of a failed expectation names the trace. */
export async function namingTrace<Result>(emulator: Traced, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EmulatorError && !(error instanceof EmulatorStoppedError)) addNote(emulator, error);
    throw error;
  }
}

/** Once, also when one expectation is part of another. */
const noted = new WeakSet<Error>();

function addNote(emulator: Traced, error: Error): void {
  if (noted.has(error)) return;
  noted.add(error);
  // Test runners print the stack, which begins with the message, and V8 makes it when it is first read.
  const { message, stack } = error;
  error.message += noteTrace(emulator, { message, ...screenFaults.get(error) });
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
}
