import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkOptions } from '../options.js';
import {
  type EmulatorServer,
  type EmulatorServerOptions,
  startEmulatorServer,
} from '../server/emulator-server.js';
import { describeModelFault, readSpeculosCommand } from './speculos-command.js';
import { createStubElf } from './stub-elf.js';

/** The members that attachZemu adds. */
export interface AttachedEmulator {
  /** Available from `start` to `close`; throws otherwise. */
  readonly emulator: EmulatorServer;
}

/** Options of `attachZemu`. */
export interface AttachOptions extends Pick<EmulatorServerOptions, 'seed' | 'settings'> {
  /** A running emulator to use, with REST and Ledger ports enabled; `close` does not stop it. */
  server?: EmulatorServer;
}

const OPTIONS: Readonly<Record<keyof AttachOptions, true>> = { seed: true, settings: true, server: true };

/** Zemu's start options; `custom` is part of Speculos's command line. */
interface ContainerOptions {
  custom?: string;
  model?: string;
}

/**
 * Makes an unmodified Zemu start an emulator in this process instead of a container, on free ports, and stop
 * it in `close`. The seed is that of `custom` (`-s "word word …"`), otherwise of `options`, otherwise the
 * test mnemonic.
 * @example
 * const sim = attachZemu(new Zemu(stubElf()));
 * await sim.start({ ...DEFAULT_START_OPTIONS, model: 'nanosp' });
 */
export function attachZemu<Z extends object>(zemu: Z, options: AttachOptions = {}): Z & AttachedEmulator {
  checkOptions(options, OPTIONS);
  let running: EmulatorServer | undefined;
  const members = {
    // Any number keeps Zemu from reserving ports; the real ones are set after the emulator's start.
    transportPort: 0,
    speculosApiPort: 0,
    emuContainer: {
      async runContainer({ custom = '', model }: ContainerOptions): Promise<void> {
        const fault = describeModelFault(model);
        if (fault !== undefined) throw new Error(fault);
        running = options.server ?? (await startEmulator(options, custom));
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
      if (!running) throw new Error('the emulator is available from start() to close()');
      return running;
    },
  });
  return zemu as Z & AttachedEmulator;
}

/** Writes an app file for Zemu, which requires one, and returns its path; it is never run. */
export function stubElf(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'zbc-signer-elf-')), 'app.elf');
  writeFileSync(path, createStubElf());
  return path;
}

function startEmulator({ seed, settings }: AttachOptions, custom: string): Promise<EmulatorServer> {
  const chosen = readSpeculosCommand(custom).seed ?? seed;
  return startEmulatorServer({ seed: chosen, settings, apiPort: 'auto', ledgerPort: 'auto', apduPort: 0 });
}

const portOf = (url: string): number => Number(new URL(url).port);
