import { destination, type Logger, pino } from 'pino';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const STDERR = 2;

export interface GatewayLog {
  logger: Logger;
  /** For Fastify, whose logger writes on the same stream. */
  options: { level: LogLevel; stream: ReturnType<typeof destination> };
  onError: (error: Error) => void;
}

/** One JSON line on stderr for each thing worth knowing. */
export function openLog(level: LogLevel): GatewayLog {
  const stream = destination({ dest: STDERR, sync: false });
  const logger = pino({ level }, stream);
  return {
    logger,
    options: { level, stream },
    // Whatever else an error carries may hold a command with a password in it.
    onError: ({ name, message, stack }) => logger.error({ error: { name, message, stack } }, message),
  };
}
