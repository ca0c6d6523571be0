import { EmulatorError, EmulatorStoppedError } from '../errors.js';
import { drawScreens } from '../screen-art.js';
import type { SessionFailure } from '../trace/trace-keeper.js';

/** The command that opens a trace, quoted for a POSIX shell. */
export function openCommand(path: string): string {
  const name = path.startsWith('-') ? `./${path}` : path;
  const word = /^[\w./:@%+=-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  return `zbc-signer trace open ${word}`;
}

/** The part of an Emulator that keeps its trace. */
interface Traced {
  keepTrace(failure?: SessionFailure): string | undefined;
}

/** What a failed expectation knows about the screen that differs. */
type ScreenFault = Pick<SessionFailure, 'expected' | 'isShown' | 'step' | 'shown'>;

const screenFaults = new WeakMap<Error, ScreenFault>();

/** Attaches to an error facts about the screen that differs, unless it has them, and returns the error. */
export function attachScreenFault<Fault extends Error>(error: Fault, fault: ScreenFault): Fault {
  screenFaults.set(error, { ...fault, ...screenFaults.get(error) });
  return error;
}

const failed = new WeakSet<Traced>();

/** Whether an expectation has failed in this session. If so, pending calls are only a consequence of that. */
export const hasFailed = (emulator: Traced): boolean => failed.has(emulator);

/** Keeps the trace of a session in which a test failed. Returns the text about it for the message. */
export function keepFailureTrace(emulator: Traced, failure?: SessionFailure): string {
  failed.add(emulator);
  const path = emulator.keepTrace(failure);
  return path === undefined ? '' : `\n\ntrace: ${path}\n${openCommand(path)}`;
}

/** Settles like `work`. If it fails, adds the path of the trace to the message of the error. */
export async function nameTraceOnFailure<Result>(emulator: Traced, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EmulatorError && !(error instanceof EmulatorStoppedError)) addNote(emulator, error);
    throw error;
  }
}

/** Errors whose messages already name the trace, because one expectation may be part of another. */
const noted = new WeakSet<Error>();

/** Adds the shown screen, if it is known, and the path of the trace to the message of an error, once. */
export function addNote(emulator: Traced, error: Error): void {
  if (noted.has(error)) return;
  noted.add(error);
  // Test runners print the stack, which V8 builds from the message on first access.
  const { message, stack } = error;
  const fault = screenFaults.get(error);
  const { expected, shown } = fault ?? {};
  if (expected?.frame && shown) error.message += `\n\n${drawScreens(expected.frame, shown)}`;
  error.message += keepFailureTrace(emulator, { message, ...fault });
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
}
