import { PortInUseError, UsageError } from './errors.js';

/** An option that names a port, and its value; `free` is the value that picks any free one. */
interface PortOption {
  option: string;
  port: number;
  free?: 'auto';
}

/** A usage error for Node's errors about ports and addresses; any other error unchanged. */
export function explainListenError(error: unknown, ports: readonly PortOption[]): unknown {
  const { code, port } = Object(systemErrorOf(error)) as { code?: unknown; port?: unknown };
  const used = ports.find(each => each.port === port) ?? ports[0]!;
  switch (code) {
    case 'EADDRINUSE':
    case 'PORT_IN_USE':
      return new PortInUseError(
        used.port,
        `Choose another with ${used.option}, or ${used.free ?? 0} for any free one.`,
      );
    case 'EACCES':
      return new UsageError(`permission denied for port ${used.port} or the data directory`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new UsageError('--host is not an address of this computer');
    default:
      return error;
  }
}

/** Node's error, which is the cause of a gateway's and of an emulator's. */
function systemErrorOf(error: unknown): unknown {
  const code: unknown = Reflect.get(Object(error), 'code');
  return code === 'LISTEN_FAILED' ? Reflect.get(Object(error), 'cause') : error;
}
