import type { NativeEvent, NativeSockets } from './native-sockets.js';

type Listener = (argument?: unknown) => void;

/**
 * The JavaScript part of react-native-tcp-socket 6, as far as a client uses it. `write` throws before the
 * connection is open, and after `destroy`. The event `error` has a text as its argument. Events are also
 * emitted after `destroy`.
 */
export class ReactNativeSocket {
  readonly #listeners = new Map<string, Listener[]>();
  #isPending = true;
  #isDestroyed = false;

  constructor(
    private readonly native: NativeSockets,
    private readonly id: number,
  ) {}

  on(event: string, listener: (argument: never) => void): this {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener as Listener]);
    return this;
  }

  write(bytes: Uint8Array): boolean {
    if (this.#isPending || this.#isDestroyed) throw new Error('Socket is closed.');
    if (!(bytes instanceof Uint8Array)) throw new TypeError('Invalid data, chunk must be a string or buffer');
    this.native.write(this.id, btoa(String.fromCharCode(...bytes)));
    return true;
  }

  setNoDelay(isOn: boolean): this {
    if (this.#isPending) this.on('connect', () => this.setNoDelay(isOn));
    else this.native.setNoDelay(this.id, isOn);
    return this;
  }

  end(): this {
    if (!this.#isPending && !this.#isDestroyed) this.native.destroy(this.id);
    return this;
  }

  destroy(): this {
    if (!this.#isDestroyed) this.native.destroy(this.id);
    this.#isDestroyed = true;
    return this;
  }

  /** Handles an event of the native module for this socket. */
  receive(name: string, { data, error }: NativeEvent): void {
    if (name === 'connect') this.#isPending = false;
    if (name === 'error') this.destroy();
    if (name === 'end') this.end();
    const argument = data === undefined ? error : Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
    for (const listener of this.#listeners.get(name) ?? []) listener(argument);
    if (name === 'close') this.#listeners.clear();
  }
}

/** Returns the default export of react-native-tcp-socket, with a given native module. */
export function tcpSockets(native: NativeSockets) {
  const sockets: ReactNativeSocket[] = [];
  native.onEvent = (name, event) => sockets[event.id]!.receive(name, event);
  return {
    createConnection(
      { host, port }: { host: string; port: number },
      onConnect: () => void,
    ): ReactNativeSocket {
      const id = sockets.length;
      const socket = new ReactNativeSocket(native, id).on('connect', onConnect);
      sockets.push(socket);
      native.connect(id, host, port);
      return socket;
    },
  };
}
