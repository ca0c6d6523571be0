import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSpeculosCommand } from './docker/speculos-command.js';
import { type EmulatorServer, type EmulatorServerOptions, startEmulatorServer } from './process.js';
import { createStubElf } from './stub-elf.js';

/** What an attached Zemu has beside its own members. */
export interface AttachedEmulator {
  /** Runs from `start` to `close`; throws before. */
  readonly emulator: EmulatorServer;
}

export interface AttachOptions extends Pick<EmulatorServerOptions, 'seed' | 'settings'> {
  /** An emulator that is already running, whose REST and Ledger ports are on; `close` leaves it alone. */
  server?: EmulatorServer;
}

/** What Zemu gives its container: its own start options, of which `custom` is part of Speculos's command line. */
interface ContainerOptions {
  custom?: string;
}

/**
 * Makes a stock Zemu start an emulator in this process instead of a container, on free ports, and stop it again in `close`.
 * The seed is the one of `custom` (`-s "word word …"`), else that of `options`, else the well-known test mnemonic.
 * @example const sim = attachZemu(new Zemu(stubElf())); await sim.start({ ...DEFAULT_START_OPTIONS, model: 'nanosp' });
 */
export function attachZemu<Z extends object>(zemu: Z, options: AttachOptions = {}): Z & AttachedEmulator {
  let running: EmulatorServer | undefined;
  const members = {
    // Any number keeps Zemu from reserving ports; the true ones are known once the emulator listens.
    transportPort: 0,
    speculosApiPort: 0,
    emuContainer: {
      async runContainer({ custom = '' }: ContainerOptions): Promise<void> {
        running = options.server ?? (await startOwn(options, custom));
        Object.assign(zemu, { transportPort: portOf(running.ledger), speculosApiPort: portOf(running.api) });
      },
      async stop(): Promise<void> {
        if (!options.server) await running?.close();
        running = undefined;
      },
    },
  };
  Object.assign(zemu, members);
  Object.defineProperty(zemu, 'emulator', {
    get: () => {
      if (!running) throw new Error('the emulator runs from start() to close()');
      return running;
    },
  });
  return zemu as Z & AttachedEmulator;
}

/** The path of a new file that Zemu takes for an app of a Nano S+ or Nano X: it wants one, and it is not run. */
export function stubElf(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'zbc-signer-elf-')), 'app.elf');
  writeFileSync(path, createStubElf());
  return path;
}

function startOwn({ seed, settings }: AttachOptions, custom: string): Promise<EmulatorServer> {
  const asked = readSpeculosCommand(custom).seed ?? seed;
  return startEmulatorServer({ seed: asked, settings, apiPort: 'auto', ledgerPort: 'auto', apduPort: 0 });
}

const portOf = (url: string): number => Number(new URL(url).port);
