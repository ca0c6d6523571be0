import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { textsOf } from '../device/platform.js';
import { type EmulatorServer, type Port, startEmulatorServer } from '../server/emulator-server.js';
import { DockerError } from './docker-error.js';
import { describeModelFault, readSpeculosCommand } from './speculos-command.js';

/** The used part of the body of Docker's `POST /containers/create`. */
export interface ContainerSpec {
  Image?: string;
  Cmd?: string[];
  HostConfig?: { PortBindings?: Record<string, { HostPort?: string }[]> };
}

/** Speculos's ports in its image. */
const API_PORT = '5000/tcp';
const APDU_PORT = '9999/tcp';
const LEDGER_PORT = '9998/tcp';

/** An emulator with the life cycle of a container. */
export class Container {
  readonly id = randomBytes(32).toString('hex');
  readonly createdSeconds = Math.floor(Date.now() / 1000);
  readonly #readers = new Set<PassThrough>();
  /** From the start on, also while it does not listen yet. */
  #server: Promise<EmulatorServer> | undefined;

  constructor(
    readonly name: string,
    readonly spec: ContainerSpec,
  ) {}

  get running(): boolean {
    return this.#server !== undefined;
  }

  /**
   * Uses the container's port bindings and the seed of its command line; resolves when it runs, also when
   * that was begun before. Throws what startEmulatorServer throws.
   */
  async start(): Promise<void> {
    const server = this.#server ?? this.#open();
    this.#server = server;
    await server.catch(error => {
      if (this.#server === server) this.#server = undefined;
      throw error;
    });
  }

  async #open(): Promise<EmulatorServer> {
    const { seed, model } = readSpeculosCommand(this.spec.Cmd?.join(' ') ?? '');
    const fault = describeModelFault(model);
    if (fault !== undefined) throw new DockerError(400, fault);
    const server = await startEmulatorServer({
      seed,
      apiPort: this.#hostPort(API_PORT),
      apduPort: this.#hostPort(APDU_PORT),
      ledgerPort: this.#hostPort(LEDGER_PORT),
    });
    this.#log(`ZBC Signer emulator: ${server.api}`);
    server.emulator.on('screen', screen => this.#log(textsOf(screen).join(' | ')));
    return server;
  }

  /** Streams the screens, one a line, until the container stops. */
  attach(): PassThrough {
    const reader = new PassThrough();
    this.#readers.add(reader);
    // Clients wait for the headers, which are sent with the first bytes.
    reader.write(`Attached to ${this.name}\r\n`);
    reader.on('close', () => this.#readers.delete(reader));
    return reader;
  }

  async stop(): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    this.#server = undefined;
    await server?.close();
    for (const reader of this.#readers) reader.end();
  }

  #hostPort(port: string): Port {
    const binding = this.spec.HostConfig?.PortBindings?.[port]?.[0];
    if (!binding) return 0;
    return Number(binding.HostPort) || 'auto';
  }

  #log(line: string): void {
    for (const reader of this.#readers) reader.write(`${line}\r\n`);
  }
}
