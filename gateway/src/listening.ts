import { ConfigError, systemCode } from './errors.js';

/** What was to be started on this port; throws ConfigError CANNOT_LISTEN when it could not be. */
export async function orCannotListen<T>(host: string, port: number, starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    const message = `cannot listen on ${host} port ${port} (${systemCode(error)})`;
    throw new ConfigError('CANNOT_LISTEN', message, [], { cause: error });
  }
}
