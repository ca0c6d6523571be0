import { createConnection, type Socket } from 'node:net';

/** An event of the native module. `id` is the number of the socket. */
export interface NativeEvent {
  id: number;
  /** The received bytes in base64, for the event `data`. */
  data?: string;
  /** The text of the error, for the event `error`. */
  error?: string;
}

/**
 * The native part of react-native-tcp-socket 6 on Android. Bytes are in base64, and errors are texts. No
 * event occurs during a call. A connection that the server has ended is closed only when the library calls
 * `destroy`.
 */
export class NativeSockets {
  onEvent: (name: string, event: NativeEvent) => void = () => undefined;
  readonly #sockets = new Map<number, Socket>();

  connect(id: number, host: string, port: number): void {
    const socket = createConnection({ host, port, allowHalfOpen: true });
    this.#sockets.set(id, socket);
    socket.on('connect', () => this.#emit('connect', { id }));
    socket.on('data', chunk => this.#emit('data', { id, data: chunk.toString('base64') }));
    socket.on('end', () => this.#emit('end', { id }));
    socket.on('error', ({ message }) => this.#emit('error', { id, error: message }));
    socket.on('close', () => this.#emit('close', { id }));
  }

  write(id: number, base64: string): void {
    this.#sockets.get(id)!.write(Buffer.from(base64, 'base64'));
  }

  setNoDelay(id: number, isOn: boolean): void {
    this.#sockets.get(id)!.setNoDelay(isOn);
  }

  destroy(id: number): void {
    this.#sockets.get(id)!.destroy();
  }

  /** Breaks every connection, as if the phone had left the network. */
  lose(): void {
    for (const socket of this.#sockets.values())
      socket.destroy(new Error('Software caused connection abort'));
  }

  #emit(name: string, event: NativeEvent): void {
    setImmediate(() => this.onEvent(name, event));
  }
}
