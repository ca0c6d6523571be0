import { once } from 'node:events';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createApduServer } from './apdu-server.js';
import { ListenError, PortInUseError } from './errors.js';
import { Emulator, type EmulatorOptions } from './harness.js';
import { createApiServer, createLedgerServer } from './server.js';

/** 0 switches a face off; `'auto'` takes any free port. */
export type Port = number | 'auto';

export interface EmulatorServerOptions extends EmulatorOptions {
  /** Both have the same screen and buttons, so nothing depends on it. */
  model?: 'nanosp' | 'nanox' | undefined;
  /** 127.0.0.1 by default: it holds test seeds only. */
  host?: string | undefined;
  /** REST, 5000 by default. */
  apiPort?: Port | undefined;
  /** APDUs over TCP, 9999 by default. */
  apduPort?: Port | undefined;
  /** Ledger's HTTP transport, 9998 by default. */
  ledgerPort?: Port | undefined;
}

/** A running emulator and where its faces are: a face that is off has an empty URL, or port 0. */
export interface EmulatorServer {
  readonly api: string;
  readonly apduPort: number;
  readonly ledger: string;
  readonly emulator: Emulator;
  close(): Promise<void>;
}

/**
 * Starts one device and its faces. Throws PortInUseError, ListenError or what Emulator.start throws, leaving nothing open.
 * @example const server = await startEmulatorServer({ apiPort: 'auto', apduPort: 'auto', ledgerPort: 0 });
 */
export async function startEmulatorServer(options: EmulatorServerOptions = {}): Promise<EmulatorServer> {
  const { host = '127.0.0.1', apiPort = 5000, apduPort = 9999, ledgerPort = 9998 } = options;
  const emulator = await Emulator.start(options);
  const faces = new Faces(host, emulator);
  try {
    return {
      api: await faces.openHttp(createApiServer(emulator, host), apiPort),
      apduPort: await faces.openApdu(apduPort),
      ledger: await faces.openHttp(createLedgerServer(emulator, host), ledgerPort),
      emulator,
      close: () => faces.close(),
    };
  } catch (error) {
    await faces.close();
    throw error;
  }
}

/** The line that tells a script that the emulator is ready, as JSON (emulator-api "Process"). */
export function readyLine({ api, apduPort, ledger }: EmulatorServer): string {
  return JSON.stringify({ ready: true, api, apdu_port: apduPort, ledger });
}

class Faces {
  readonly #closers: (() => Promise<unknown>)[] = [];
  #closed: Promise<unknown> | undefined;

  constructor(
    private readonly host: string,
    private readonly emulator: Emulator,
  ) {
    // After those who are told of it, and whose words to their clients have left by then.
    emulator.once('stop', () => setImmediate(() => void this.close()));
  }

  async openHttp(server: FastifyInstance, port: Port): Promise<string> {
    if (port === 0) return '';
    this.#closers.push(() => server.close());
    await this.#listen(port, wanted => server.listen({ host: this.host, port: wanted }));
    return `http://${isIPv6(this.host) ? `[${this.host}]` : this.host}:${(server.server.address() as AddressInfo).port}`;
  }

  async openApdu(port: Port): Promise<number> {
    if (port === 0) return 0;
    const server = createApduServer(this.emulator);
    await this.#listen(port, wanted => once(server.listen(wanted, this.host), 'listening'));
    this.#closers.push(async () => {
      server.closeSockets();
      server.close();
      await once(server, 'close');
    });
    return (server.address() as AddressInfo).port;
  }

  /** Also what stopping the emulator does. */
  async close(): Promise<void> {
    this.emulator.stop();
    this.#closed ??= Promise.all(this.#closers.map(close => close()));
    await this.#closed;
  }

  async #listen(port: Port, open: (wanted: number) => Promise<unknown>): Promise<void> {
    const wanted = port === 'auto' ? 0 : port;
    try {
      await open(wanted);
    } catch (error) {
      const inUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      throw inUse ? new PortInUseError(this.host, wanted) : new ListenError(this.host, wanted, error);
    }
  }
}
