import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkOptions } from '../options.js';
import {
  type EmulatorServer,
  type EmulatorServerOptions,
  startEmulatorServer,
} from '../server/emulator-server.js';
import { describeModelFault, readSeedOption } from './command-line.js';
import { createStubElf } from './stub-elf.js';

/** The members that attachZemu adds. */
export interface AttachedEmulator {
  /** Available between `start` and `close`. At other times, reading it throws. */
  readonly emulator: EmulatorServer;
}

/** Options of `attachZemu`. */
export interface AttachOptions extends Pick<EmulatorServerOptions, 'seed' | 'settings'> {
  /** A running emulator to use, with REST and Ledger ports enabled; `close` does not stop it. */
  server?: EmulatorServer;
}

const OPTIONS: Readonly<Record<keyof AttachOptions, true>> = { seed: true, settings: true, server: true };

/** Zemu's options for a container; `custom` is a part of the command line of Speculos. */
interface ContainerOptions {
  custom?: string;
  model?: string;
}

/**
 * Makes an unmodified Zemu start an emulator in this process, on free ports, instead of a container. `close`
 * stops the emulator, and rejects with STILL_PENDING if a review is still open. The seed is that of Zemu's option `custom` (`-s "word word …"`), otherwise that of
 * `options`, otherwise the test mnemonic.
 * @example
 * const sim = attachZemu(new Zemu(stubElf()));
 * await sim.start({ ...DEFAULT_START_OPTIONS, model: 'nanosp' });
 */
export function attachZemu<Z extends object>(zemu: Z, options: AttachOptions = {}): Z & AttachedEmulator {
  checkOptions(options, OPTIONS);
  let running: EmulatorServer | undefined;
  const members = {
    // If the ports are set, Zemu does not reserve any. The real ports are set after the start of the
    // emulator.
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
        const stopped = options.server ? undefined : running;
        running = undefined;
        await stopped?.close();
        await stopped?.emulator.stop();
      },
    },
  };
  Object.assign(zemu, members);
  Object.defineProperty(zemu, 'emulator', {
    get: () => {
      if (!running) throw new Error('`emulator` is available only between start() and close()');
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
  const chosen = readSeedOption(custom) ?? seed;
  return startEmulatorServer({ seed: chosen, settings, apiPort: 'auto', ledgerPort: 'auto', apduPort: 0 });
}

const portOf = (url: string): number => Number(new URL(url).port);
