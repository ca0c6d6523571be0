import { isatty } from 'node:tty';
import { destination, type Logger, pino } from 'pino';
import { ConfigError } from '../base/errors.js';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
/** The minimum level of logged messages. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Lines are written in batches, because each write needs a turn of a worker thread. */
const LINES_BYTES = 32_768;
const MAX_WRITE_BYTES = 65_536;
/** Maximum delay of a line in a batch. */
const LINES_MS = 100;
/**
 * Maximum number of bytes of log lines that wait while the disk is full or the reader has stalled. Further
 * lines are dropped.
 */
const MOST_WAITING = 16_777_216;
/** Time limit for writing the last lines when the process ends, in case nothing reads them. */
const ENDING_MS = 1000;

/** A log, and the functions that connect it to a gateway. */
export interface GatewayLog {
  logger: Logger;
  /** Options for Fastify, whose logger writes to the same stream. */
  options: { level: LogLevel; stream: Stream };
  /** Logs a failure that belongs to no request. */
  onError: (error: Error) => void;
  /** Writes the waiting lines. After a second, the remaining lines are dropped. */
  close: () => Promise<void>;
}

type Stream = ReturnType<typeof destination>;

/** Logs JSON lines to stderr. */
export function openLog(level: LogLevel): GatewayLog {
  const { stream, close } = openStream();
  const logger = pino({ level }, stream);
  return {
    logger,
    options: { level, stream },
    // Only the message is logged: other properties of an error may contain anything.
    onError: error => {
      const { name, message, stack } = error;
      const place = error instanceof ConfigError ? {} : { stack };
      logger.error({ error: { name, message, ...place } }, message);
    },
    close,
  };
}

/** A log that cannot be written must neither end the process nor keep it running. */
function openStream(): { stream: Stream; close: () => Promise<void> } {
  // Access to `process.stderr` makes a pipe non-blocking. A blocking write to a full pipe would hang a
  // thread.
  const { fd } = process.stderr;
  let endsAtMs = Number.POSITIVE_INFINITY;
  const stream = destination({
    dest: fd,
    sync: false,
    minLength: LINES_BYTES,
    maxWrite: MAX_WRITE_BYTES,
    periodicFlush: LINES_MS,
    maxLength: MOST_WAITING,
    retryEAGAIN: () => performance.now() < endsAtMs,
  });
  const isTerminal = isatty(fd);
  let failed = false;
  stream.on('error', () => {
    failed = true;
  });
  stream.on('write', () => {
    failed = false;
  });
  const endSoon = () => {
    endsAtMs = Math.min(endsAtMs, performance.now() + ENDING_MS);
  };
  // The stream copies all waiting lines on each write, so lines are joined first.
  let lines = '';
  const write = stream.write.bind(stream);
  const passOn = () => {
    const text = lines;
    lines = '';
    if (text !== '') write(text);
  };
  stream.write = line => {
    lines += line;
    if (lines.length >= LINES_BYTES) passOn();
    return true;
  };
  const flushLater = stream.flush.bind(stream);
  stream.flush = done => {
    passOn();
    flushLater(done);
  };
  // Pino calls `flushSync` when the process exits. If the terminal is closed, `flushSync` would retry forever.
  const flush = stream.flushSync.bind(stream);
  stream.flushSync = () => {
    if (failed || isatty(fd) !== isTerminal) return;
    endSoon();
    try {
      passOn();
      flush();
    } catch {}
  };
  const close = () => {
    endSoon();
    return new Promise<void>(resolve => stream.flush(() => resolve()));
  };
  return { stream, close };
}
