import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { invalidInputError } from '@zbc-signer/chain';
import type { FastifyInstance } from 'fastify';
import { CommandLog } from '../command-log/command-log.js';
import { EmulatorError, PortInUseError } from '../errors.js';
import { Emulator } from '../harness/emulator.js';
import { type EmulatorOptions, OPTIONS as OF_EMULATOR } from '../harness/emulator-options.js';
import { checkOptions } from '../options.js';
import type { UsbOptions } from '../usb/usb-device.js';
import { createApduServer } from './apdu-server.js';
import type { AllowedClients } from './cors.js';
import { EventLog } from './routes/events.js';

/**
 * The timeout is long, because Zemu repeats a POST whose idle connection was reset, which would press a
 * button twice.
 */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** 0 disables a server; `'auto'` picks a free port. */
export type Port = number | 'auto';

/** Options of `startEmulatorServer`. */
export interface EmulatorServerOptions extends Omit<EmulatorOptions, 'device'>, AllowedClients {
  /** A device to serve instead of a new one; `close` stops it. */
  emulator?: Emulator | undefined;
  /** Accepted for compatibility and ignored: both models have the same screen and buttons. */
  model?: 'nanosp' | 'nanox' | undefined;
  /** Default: 127.0.0.1. There is no authentication: use test seeds only. */
  host?: string | undefined;
  /** Port of the REST API. Default: 5000. */
  apiPort?: Port | undefined;
  /** Port of APDUs over TCP. Default: 9999. */
  apduPort?: Port | undefined;
  /** Port of Ledger's HTTP transport. Default: 9998. */
  ledgerPort?: Port | undefined;
  /** Port of USB/IP, which connects the emulator to a Linux machine as a USB device. Default: 0. */
  usbipPort?: Port | undefined;
  /** Identity of the USB device. Default: the test ids 1209:0001, and a random serial number. */
  usb?: UsbOptions | undefined;
}

const { device: _, ...OF_DEVICE } = OF_EMULATOR;
const OPTIONS: Readonly<Record<keyof EmulatorServerOptions, true>> = {
  ...OF_DEVICE,
  emulator: true,
  model: true,
  host: true,
  apiPort: true,
  apduPort: true,
  ledgerPort: true,
  usbipPort: true,
  usb: true,
  allowedOrigins: true,
  allowedHosts: true,
};

/** A running emulator with the URLs and ports of its servers. For a disabled server, they are empty or 0. */
export interface EmulatorServer {
  readonly api: string;
  readonly apduPort: number;
  readonly ledger: string;
  readonly usbipPort: number;
  readonly emulator: Emulator;
  /** Stops the emulator and closes every server. */
  close(): Promise<void>;
}

/**
 * Starts a device and its servers. Throws UNKNOWN_OPTION, PortInUseError, LISTEN_FAILED or an error of
 * Emulator.start; then nothing is left open.
 * @example const server = await startEmulatorServer({ apiPort: 'auto', apduPort: 'auto', ledgerPort: 0 });
 */
export async function startEmulatorServer(options: EmulatorServerOptions = {}): Promise<EmulatorServer> {
  checkOptions(options, OPTIONS);
  const { host = '127.0.0.1', apiPort = 5000, apduPort = 9999, ledgerPort = 9998, usbipPort = 0 } = options;
  const emulator = options.emulator ?? (await startEmulator(options));
  const servers = new Servers(host, emulator);
  try {
    const logs = [new CommandLog(emulator), new EventLog(emulator)] as const;
    const load = () => import('./api-server.js');
    return {
      api: await servers.openHttp(
        async () => (await load()).createApiServer(emulator, logs, host, options),
        apiPort,
      ),
      apduPort: await servers.openApdu(apduPort),
      ledger: await servers.openHttp(
        async () => (await load()).createLedgerServer(emulator, host, options),
        ledgerPort,
      ),
      usbipPort: await servers.openUsbip(usbipPort, options.usb ?? {}),
      emulator,
      close: () => servers.close(),
    };
  } catch (error) {
    await servers.close();
    throw error;
  }
}

/**
 * Starts a device in this process, ignoring ZBC_SIGNER_DEVICE: clients press and read the screen themselves.
 */
function startEmulator(options: EmulatorServerOptions) {
  const { seed, keystore, settings, module, coverage, trace } = options;
  return Emulator.start({ seed, keystore, settings, module, coverage, trace, device: null });
}

/** The JSON line printed when the emulator is ready, for scripts. */
export function formatReady({ api, apduPort, ledger, usbipPort }: EmulatorServer): string {
  const usbip = usbipPort === 0 ? {} : { usbip_port: usbipPort };
  return JSON.stringify({ ready: true, api, apdu_port: apduPort, ledger, ...usbip });
}

class Servers {
  readonly #closers: (() => Promise<unknown>)[] = [];
  #closed: Promise<unknown> | undefined;

  constructor(
    private readonly host: string,
    private readonly emulator: Emulator,
  ) {
    // The servers close after the other listeners, so that their last messages are sent.
    emulator.once('stop', () => setImmediate(() => void this.close()));
  }

  /** Makes the app for the first request, because loading Fastify takes longer than the rest of the start. */
  async openHttp(make: () => Promise<FastifyInstance>, port: Port): Promise<string> {
    if (port === 0) return '';
    let app: Promise<FastifyInstance> | undefined;
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, (request, response) => {
      app ??= make().then(async made => {
        await made.ready();
        return made;
      });
      app.then(
        made => made.routing(request, response),
        error => response.destroy(error),
      );
    });
    const closeSockets = () => server.closeAllConnections();
    const opened = await this.#openTcp(Object.assign(server, { closeSockets }), port);
    const host = this.host.includes(':') ? `[${this.host}]` : this.host;
    return `http://${host}:${opened}`;
  }

  async openApdu(port: Port): Promise<number> {
    if (port === 0) return 0;
    return this.#openTcp(createApduServer(this.emulator), port);
  }

  async openUsbip(port: Port, identity: UsbOptions): Promise<number> {
    if (port === 0) return 0;
    if (!this.emulator.takesReports)
      throw invalidInputError('this firmware has no USB interface: leave out the USB/IP port (usbipPort)');
    const { createUsbipServer, emulatedUsbDevice } = await import('../usb/index.js');
    return this.#openTcp(createUsbipServer(emulatedUsbDevice(this.emulator, identity)), port);
  }

  async #openTcp(server: Server & { closeSockets(): void }, port: Port): Promise<number> {
    const requested = port === 'auto' ? 0 : port;
    try {
      await once(server.listen(requested, this.host), 'listening');
    } catch (error) {
      const inUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (inUse) throw new PortInUseError(this.host, requested);
      const message = `cannot listen on port ${requested} of ${this.host}: ${(error as Error).message}`;
      throw new EmulatorError('LISTEN_FAILED', message, { cause: error });
    }
    this.#closers.push(async () => {
      server.closeSockets();
      server.close();
      await once(server, 'close');
    });
    return (server.address() as AddressInfo).port;
  }

  /** Stops the emulator and closes every server. */
  async close(): Promise<void> {
    this.emulator.stop();
    this.#closed ??= Promise.all(this.#closers.map(close => close()));
    await this.#closed;
  }
}
