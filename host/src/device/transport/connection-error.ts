import { TransportError } from '../../errors.js';
import { inWords } from '../../network-fault.js';

/** System calls that fail before the connection is established. */
const CONNECTING: readonly unknown[] = ['connect', 'getaddrinfo'];

/**
 * The error for a failed connection to an emulator or to the server of a UART; `place` is its host and port.
 */
export function connectionError(place: string, cause: unknown): TransportError {
  const { code, syscall } = Object(cause) as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') {
    const hint = 'Start the emulator, or check its port.';
    return new TransportError('DEVICE_NOT_FOUND', `nothing listens at ${place}`, { cause, hint });
  }
  if (CONNECTING.includes(syscall)) {
    const hint = 'Check its host and port.';
    return new TransportError('DEVICE_NOT_FOUND', `cannot reach ${place}: ${inWords(`${code}`)}`, {
      cause,
      hint,
    });
  }
  return new TransportError('DEVICE_DISCONNECTED', `the connection to ${place} closed before the reply`, {
    cause,
  });
}
