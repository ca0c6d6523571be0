import { constants, createReadStream, fstatSync, openSync } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { UsageError } from '../errors/errors.js';
import type { Terminal } from '../output/terminal.js';

/** Reads stdin to its end; throws UsageError above `maxBytes`. The message calls the content `what`. */
export function readStdin(what: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  return readWhole(process.stdin, `${what} on stdin`, maxBytes, signal);
}

/** Reads all bytes of a stream; throws UsageError above `maxBytes`. The message calls the content `what`. */
async function readWhole(
  stream: Readable,
  what: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of addAbortSignal(signal, stream)) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) throw new UsageError(`${what} is longer than ${maxBytes} bytes`);
  }
  return Buffer.concat(pieces);
}

/** This limit is far above that of the device, which enforces its own limit. */
const MAX_INPUT_BYTES = 65_536;

/** Returns the text in UTF-8, or the bytes of stdin for `-`. */
export async function readMessage(text: string, signal: AbortSignal): Promise<Uint8Array> {
  return text === '-' ? readStdin('the message', MAX_INPUT_BYTES, signal) : new TextEncoder().encode(text);
}

const OWNER_ONLY = 0o600;
const EVERYONE = 0o666;

/**
 * Reads a file, or stdin for `-`. Throws UsageError if the content is longer than `maxBytes`, or if Ctrl-C
 * interrupts the read. In the error message, `what` names the content.
 */
export async function readBytes(
  what: string,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  if (path === '-') return readStdin(what, maxBytes, signal);
  try {
    return await readWhole(openFile(path, maxBytes), `${what} in ${path}`, maxBytes, signal);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`cannot read ${path}: ${describe(error)}`);
  }
}

/**
 * Opens a file and reads at most one byte above the limit, because a device may be endless. A pipe is opened
 * without blocking, because a thread that waits for a writer would keep the process from ending.
 */
function openFile(path: string, maxBytes: number): Readable {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (isatty(descriptor)) return new ReadStream(descriptor);
  if (fstatSync(descriptor).isFIFO()) return new Socket({ fd: descriptor, readable: true, writable: false });
  return createReadStream(path, { fd: descriptor, end: maxBytes });
}

const OTHERS = 0o077;

/** Warns if other users may read or write the file of a secret. In the warning, `what` names the secret. */
export async function warnIfReadable(what: string, path: string, terminal: Terminal): Promise<void> {
  const found = path === '-' ? undefined : await stat(path).catch(() => undefined);
  if (found?.isFile() && (found.mode & OTHERS) !== 0)
    terminal.warn(`WARNING: other users may be able to read ${what} in ${path}. Run chmod 600 ${path}`);
}

interface WriteOptions {
  /** Makes the file readable only by its owner. */
  secret?: boolean | undefined;
  /** Replaces an existing file, which is an error otherwise. */
  force?: boolean | undefined;
  /** A remedy for an existing file. */
  remedy?: string;
}

/** Writes the whole file or nothing. Throws UsageError if this fails. */
export async function writeBytes(
  path: string,
  bytes: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  const { remedy = 'Choose another --output, or replace it with --force.' } = options;
  if (path === '-')
    throw new UsageError('--output: - is not a file name', 'Write ./- for a file of that name.');
  const mode = options.secret ? OWNER_ONLY : EVERYONE;
  const target = options.force ? `${path}.${process.pid}.tmp` : path;
  try {
    await writeFile(target, bytes, { flag: 'wx', mode });
    if (options.force) await rename(target, path);
  } catch (error) {
    const exists = !options.force && Reflect.get(Object(error), 'code') === 'EEXIST';
    if (!exists) await rm(target, { force: true });
    throw exists
      ? new UsageError(`${path} already exists`, remedy)
      : new UsageError(`cannot write ${path}: ${describe(error)}`);
  }
}

/** Throws UsageError, naming the option, if the output is the input under any name. */
export async function requireOtherFile(input: string, option: string, output: string): Promise<void> {
  const [one, other] = await Promise.all(
    [input, output].map(path => stat(path, { bigint: true }).catch(() => undefined)),
  );
  if (one === undefined || one.dev !== other?.dev || one.ino !== other.ino) return;
  throw new UsageError(`${option}: ${output} is ${input === output ? 'the input' : input} itself`);
}

function describe(error: unknown): string {
  const code = Reflect.get(Object(error), 'code');
  return code === 'ENOENT' ? 'no such file or directory' : String(code ?? 'unknown error');
}

/** This limit is above the size of the document of the largest transaction. */
const MAX_BYTES = 262_144;

/** The argument of commands that read a transaction document. */
export const DOCUMENT_ARGUMENT = {
  describe: 'file with the transaction document; without it, or for -, the document is read from stdin',
} as const;

/** Returns the text of a document in a file, or on stdin. Throws UsageError if it cannot be read. */
export async function readDocument(file: string | undefined, signal: AbortSignal): Promise<string> {
  return (await readBytes('the document', file ?? '-', MAX_BYTES, signal)).toString('utf8');
}
