import { isatty } from 'node:tty';
import { destination, type Logger, pino } from 'pino';
import { ConfigError } from '../base/errors.js';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
/** The least important messages that are logged. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Lines are written together, as each write takes a turn of another thread. */
const LINES_BYTES = 32_768;
const MAX_WRITE_BYTES = 65_536;
/** The longest that a line waits for others. */
const LINES_MS = 100;
/** Bytes of lines that wait for a full disk or a reader that stands still; further lines are dropped. */
const MOST_WAITING = 16_777_216;
/** For the last lines, when the process ends and nobody reads them. */
const ENDING_MS = 1000;

/** A log, and what a gateway needs of it. */
export interface GatewayLog {
  logger: Logger;
  /** For Fastify, whose logger writes on the same stream. */
  options: { level: LogLevel; stream: Stream };
  /** Logs a failure that belongs to no request. */
  onError: (error: Error) => void;
  /** Writes the lines that wait; gives them up after a second. */
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
    // Other properties of an error may contain anything. What is wrong with a file says all by its message.
    onError: error => {
      const { name, message, stack } = error;
      const place = error instanceof ConfigError ? {} : { stack };
      logger.error({ error: { name, message, ...place } }, message);
    },
    close,
  };
}

/** A log that cannot be written must not end the process, nor keep it from ending. */
function openStream(): { stream: Stream; close: () => Promise<void> } {
  // Who asks Node for it has a pipe that does not block: a write to a full one would keep a thread for ever.
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
  // The stream reads all lines that wait again for each one it is given.
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
  // Called when the process exits; it would try for ever what a closed terminal never takes.
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
