import { isatty } from 'node:tty';
import { destination, type Logger, pino } from 'pino';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
/** The least important messages that are logged. */
export type LogLevel = (typeof LOG_LEVELS)[number];

const STDERR = 2;
/** Lines are written together, as each write takes a turn of another thread. */
const LINES_BYTES = 8192;
/** The longest that a line waits for others. */
const LINES_MS = 100;
/** Bytes of lines that wait for a full disk or a reader that stands still; further lines are dropped. */
const MOST_WAITING = 16_777_216;

/** A log, and what a gateway needs of it. */
export interface GatewayLog {
  logger: Logger;
  /** For Fastify, whose logger writes on the same stream. */
  options: { level: LogLevel; stream: ReturnType<typeof destination> };
  /** Logs a failure that belongs to no request. */
  onError: (error: Error) => void;
}

/** Logs JSON lines to stderr. */
export function openLog(level: LogLevel): GatewayLog {
  const stream = openStream();
  const logger = pino({ level }, stream);
  return {
    logger,
    options: { level, stream },
    // Other properties of an error may contain a Redis command with the password.
    onError: ({ name, message, stack }) => logger.error({ error: { name, message, stack } }, message),
  };
}

/** A log that cannot be written must not end the process, nor keep it from ending. */
function openStream(): ReturnType<typeof destination> {
  const stream = destination({
    dest: STDERR,
    sync: false,
    minLength: LINES_BYTES,
    periodicFlush: LINES_MS,
    maxLength: MOST_WAITING,
  });
  const isTerminal = isatty(STDERR);
  let failed = false;
  stream.on('error', () => {
    failed = true;
  });
  stream.on('write', () => {
    failed = false;
  });
  // Called when the process exits; it would try for ever what a closed terminal never takes.
  const flush = stream.flushSync.bind(stream);
  stream.flushSync = () => {
    if (!failed && isatty(STDERR) === isTerminal) flush();
  };
  return stream;
}
