import { UsageError } from './errors.js';

/** An option that names a port, and the port it stood for. */
export interface PortOption {
  option: string;
  port: number;
}

/** Node's own errors about ports and addresses, in words; any other error as it is. */
export function explainListenError(error: unknown, ports: readonly PortOption[]): unknown {
  const { code, port } = Object(systemErrorOf(error)) as { code?: unknown; port?: unknown };
  const taken = ports.find(each => each.port === port) ?? ports[0]!;
  switch (code) {
    case 'EADDRINUSE':
      return new UsageError(
        `port ${taken.port} is in use`,
        `Choose another with ${taken.option}, or 0 for any free one.`,
      );
    case 'EACCES':
      return new UsageError(`port ${taken.port} or the data directory is not for this user`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new UsageError('--host is not an address of this computer');
    default:
      return error;
  }
}

/** A gateway's error has Node's as its cause. */
function systemErrorOf(error: unknown): unknown {
  const code: unknown = Reflect.get(Object(error), 'code');
  return code === 'CANNOT_LISTEN' ? Reflect.get(Object(error), 'cause') : error;
}
