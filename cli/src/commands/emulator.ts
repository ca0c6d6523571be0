import { once } from 'node:events';
import {
  describeServers,
  readSeed,
  SEED_OPTION,
  SERVER_OPTIONS,
  startServer,
  warnAboutSeed,
} from '../emulator/serving.js';
import { UsageError } from '../errors/errors.js';
import type { Terminal } from '../output/terminal.js';
import { defineCommand } from '../parser/command.js';

const OPTIONS = {
  ...SEED_OPTION,
  model: {
    alias: 'm',
    choices: ['nanosp', 'nanox'],
    describe: 'model to report; no effect',
  },
  ...SERVER_OPTIONS,
  locked: {
    type: 'boolean',
    describe: 'a locked device, which has no seed: it refuses everything but its versions',
  },
  coverage: {
    describe: 'directory to write to, at the end, what of the firmware was reached [ZBC_SIGNER_COVERAGE]',
  },
  record: { describe: 'file to write the trace of the session to, readable by you alone' },
} as const;

export const command = defineCommand({
  options: OPTIONS,
  examples: [
    ['$0 emulator --allow-origin https://gateway.example', 'for the wallet page of that gateway'],
    ['$0 emulator', 'then, in another shell: zbc-signer address --device http://127.0.0.1:5000'],
    ['$0 emulator --record a.trace', 'then: zbc-signer trace open a.trace'],
  ],

  async run(options, terminal) {
    const { Emulator, readyLine, TraceFile, writeCoverageReport } = await import('@zbc-signer/emulator');
    if (options.locked && options.seed !== undefined) {
      throw new UsageError('--locked conflicts with --seed: a locked device has none');
    }
    const seed = options.locked ? null : await readSeed(options.seed, terminal.signal);
    const emulator = await Emulator.start({ seed, coverage: options.coverage, device: null });
    try {
      // Before the session, which would be lost.
      const trace = options.record === undefined ? undefined : new TraceFile(emulator, options.record);
      const server = await startServer(options, { emulator, model: options.model });
      if (seed !== null) warnAboutSeed(seed, terminal);
      process.stdout.write(`${terminal.json ? readyLine(server) : describeServers(server)}\n`);
      await Promise.race([terminal.interrupted(), once(emulator, 'stop')]);
      await server.close();
      closeTrace(trace, terminal);
    } finally {
      emulator.stop();
    }
    if (options.coverage !== undefined) {
      await writeCoverageReport(options.coverage).catch((error: Error) => {
        // After Ctrl-C only the hint is printed.
        terminal.interruptionHint = error.message;
        throw error;
      });
    }
    return undefined;
  },
});

function closeTrace(trace: { close(): void } | undefined, terminal: Terminal): void {
  try {
    trace?.close();
  } catch (error) {
    // After Ctrl-C only the hint is printed.
    terminal.interruptionHint = (error as Error).message;
    throw error;
  }
}
