import { once } from 'node:events';
import { explainFirmwareError, FIRMWARE_OPTION, readFirmwareOption } from '../../input/firmware.js';
import { parseWhole } from '../../input/values.js';
import { defineCommand } from '../../parser/command.js';
import {
  describeServers,
  readSeed,
  SEED_OPTION,
  SERVER_OPTIONS,
  startServer,
  warnAboutSeed,
} from '../emulator/serving.js';
import { readTrace, TRACE_ARGUMENT } from './file.js';

export const command = defineCommand({
  arguments: { file: TRACE_ARGUMENT },
  options: {
    at: {
      describe: 'step after which the device continues, 0 for the start [the last]',
    },
    ...SEED_OPTION,
    ...FIRMWARE_OPTION,
    ...SERVER_OPTIONS,
  },
  examples: [['$0 trace fork a.trace --at 12', 'then open the panel at http://127.0.0.1:5000']],
  notes:
    'A trace contains no seed: give the seed of the session, unless it was the test mnemonic. The steps are' +
    ' replayed first, and any difference from the trace is reported.',

  async run(options, terminal) {
    const [{ readyLine }, { TracePlayer, describeReply }] = await Promise.all([
      import('@zbc-signer/emulator'),
      import('@zbc-signer/emulator/trace'),
    ]);
    const trace = await readTrace(options.file, terminal.signal);
    const step = parseWhole('--at', options.at ?? `${trace.steps.length}`, trace.steps.length);
    const seed = await readSeed(options.seed, terminal.signal);
    const firmware = await readFirmwareOption(options.firmware, terminal.signal);
    const player = await TracePlayer.open(trace, { seed, firmware, signal: terminal.signal }).catch(error => {
      throw explainFirmwareError(error, options.firmware);
    });
    const emulator = await player.fork(step).finally(() => player.close());
    emulator.on('decision', reply => {
      const { status, hex } = describeReply(new Uint8Array(), reply);
      terminal.warn(`The reply to the waiting command is ${status}: ${hex}`);
    });
    const server = await startServer(options, { emulator }).catch(error => {
      emulator.stop();
      throw error;
    });
    if (trace.seed !== 'none') warnAboutSeed(seed, terminal);
    process.stdout.write(`${terminal.json ? readyLine(server) : describeServers(server)}\n`);
    await Promise.race([terminal.interrupted(), once(emulator, 'stop')]);
    await server.close();
    return undefined;
  },
});
