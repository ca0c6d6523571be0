import { once } from 'node:events';
import type { Emulator, EmulatorOptions } from '@zbc-signer/emulator';
import { DEVICE_OPTIONS, readKeystore } from '@zbc-signer/emulator/command-line';
import { UsageError } from '../../errors/errors.js';
import { readBytes } from '../../input/files.js';
import { explainFirmwareError, FIRMWARE_OPTION, readFirmwareOption } from '../../input/firmware.js';
import type { Terminal } from '../../output/terminal.js';
import { defineCommand } from '../../parser/command.js';
import {
  describeServers,
  readSeed,
  SEED_OPTION,
  SERVER_OPTIONS,
  startServer,
  warnAboutSeed,
} from './serving.js';

const OPTIONS = {
  ...SEED_OPTION,
  model: {
    alias: 'm',
    choices: ['nanosp', 'nanox'],
    describe: 'accepted for compatibility; ignored',
  },
  ...SERVER_OPTIONS,
  ...FIRMWARE_OPTION,
  locked: {
    type: 'boolean',
    describe:
      'emulate a locked device, which has no seed and answers only the commands for its name and version',
  },
  ...DEVICE_OPTIONS,
  record: { describe: 'file to write the trace of the session to; only you can read it' },
} as const;

export const command = defineCommand({
  options: OPTIONS,
  examples: [
    ['$0 emulator --allow-origin https://gateway.example', 'allow the wallet page of that gateway'],
    ['$0 emulator', 'then, in another shell: zbc-signer address --device http://127.0.0.1:5000'],
    ['$0 emulator --keystore', 'then make a seed with the buttons at http://127.0.0.1:5000'],
    ['$0 emulator --firmware old.wasm', 'run the firmware of a device that was not updated'],
    ['$0 emulator --record a.trace', 'record a trace; then: zbc-signer trace open a.trace'],
  ],

  async run(options, terminal) {
    const { formatReady, TraceFile, writeCoverageReport } = await import('@zbc-signer/emulator');
    refuseConflicts(options);
    const { coverage } = options;
    const keystore = await readKeystore(options, (path, maxBytes) =>
      readBytes('the noise', path, maxBytes, terminal.signal),
    );
    const seed = options.locked || keystore ? null : await readSeed(options.seed, terminal.signal);
    const held = keystore ? { keystore } : { seed };
    const emulator = await startFirmware(options.firmware, { ...held, coverage, device: null }, terminal);
    try {
      // The trace starts before the session. Otherwise the first steps of the session would be lost.
      const trace = options.record === undefined ? undefined : new TraceFile(emulator, options.record);
      const server = await startServer(options, { emulator, model: options.model });
      // The file is opened after the start, because a start that fails must not replace an existing trace.
      trace?.open();
      if (seed !== null) warnAboutSeed(seed, terminal);
      process.stdout.write(`${terminal.json ? formatReady(server) : describeServers(server)}\n`);
      await Promise.race([terminal.interrupted(), once(emulator, 'stop')]);
      await server.close();
      closeTrace(trace, terminal);
    } finally {
      emulator.stop();
    }
    if (options.coverage !== undefined) {
      await writeCoverageReport(options.coverage).catch((error: Error) => {
        // After Ctrl-C, only the hint is printed, so the hint has the message.
        terminal.interruptionHint = error.message;
        throw error;
      });
    }
    return undefined;
  },
});

/** Throws UsageError if the file is not a firmware. */
async function startFirmware(
  firmware: string | undefined,
  options: EmulatorOptions,
  { signal }: Terminal,
): Promise<Emulator> {
  const { Emulator } = await import('@zbc-signer/emulator');
  const wasm = await readFirmwareOption(firmware, signal);
  try {
    const module = wasm && (await WebAssembly.compile(new Uint8Array(wasm)));
    return await Emulator.start({ ...options, module });
  } catch (error) {
    throw explainFirmwareError(error, firmware);
  }
}

function closeTrace(trace: { close(): void } | undefined, terminal: Terminal): void {
  try {
    trace?.close();
  } catch (error) {
    // After Ctrl-C, only the hint is printed, so the hint has the message.
    terminal.interruptionHint = (error as Error).message;
    throw error;
  }
}

/** Options that exclude each other. */
const CONFLICTS = [
  ['locked', 'seed', ': a locked device has no seed'],
  ['keystore', 'locked', ''],
  ['keystore', 'firmware', ': only the shipped firmware has a keystore'],
  ['keystore', 'record', ': the recorded presses would reveal the words of the seed'],
] as const;

/** Throws UsageError for options that exclude each other. */
function refuseConflicts(options: { [name in (typeof CONFLICTS)[number][0 | 1]]: unknown }): void {
  const isGiven = (value: unknown) => value !== undefined && value !== false;
  for (const [one, other, reason] of CONFLICTS) {
    if (isGiven(options[one]) && isGiven(options[other]))
      throw new UsageError(`--${one} conflicts with --${other}${reason}`);
  }
}
