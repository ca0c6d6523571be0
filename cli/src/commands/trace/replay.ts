import { cleanText } from '@zbc-signer/chain';
import { drawScreen } from '@zbc-signer/emulator/screen-art';
import { exitCode } from '../../errors/exit-codes.js';
import { explainFirmwareError, FIRMWARE_OPTION, readFirmwareOption } from '../../input/firmware.js';
import { defineCommand } from '../../parser/command.js';
import { readSeed, SEED_OPTION } from '../emulator/serving.js';
import { readTrace, TRACE_ARGUMENT } from './file.js';

export const command = defineCommand({
  arguments: { file: TRACE_ARGUMENT },
  options: { ...FIRMWARE_OPTION, ...SEED_OPTION },
  examples: [['$0 trace replay a.trace --firmware new.wasm', 'the first step that differs with new.wasm']],
  notes: `The exit code is ${exitCode('nonconforming')} if a screen or reply differs.`,

  async run(options, terminal) {
    const { replay, ReplayMismatchError } = await import('@zbc-signer/emulator');
    const { describeTrace } = await import('@zbc-signer/emulator/trace');
    const trace = await readTrace(options.file, terminal.signal);
    const seed = await readSeed(options.seed, terminal.signal);
    const firmware = await readFirmwareOption(options.firmware, terminal.signal);
    const steps = trace.steps.length;
    try {
      await replay(trace, { seed, module: firmware && (await WebAssembly.compile(firmware)) });
      return { json: { same: true, steps }, text: `All ${steps} steps are as recorded.` };
    } catch (error) {
      if (!(error instanceof ReplayMismatchError)) throw explainFirmwareError(error, options.firmware);
      terminal.exitCode = exitCode('nonconforming');
      const { step, expected, actual, actualFrame } = error;
      const recorded = describeTrace(trace)[step]!;
      const [before, now] = [expected, actual].map(each =>
        'screen' in each ? each.screen.texts : each.texts,
      );
      const [reply, newReply] = [expected, actual].map(each => ('reply' in each ? each.reply : undefined));
      const words = cleanText(recorded.words);
      return {
        json: {
          same: false,
          step,
          steps,
          words,
          recorded: { texts: before!, reply: reply ?? null },
          actual: { texts: now!, reply: newReply ?? null },
        },
        text: [
          `Step ${step} of ${steps} is the first that differs: ${words}`,
          ...(reply === newReply ? [] : [`Reply     recorded ${reply ?? 'none'}, now ${newReply ?? 'none'}`]),
          `Recorded  ${cleanText(before!.join(' / '))}`,
          drawScreen(recorded.frame),
          `Now       ${cleanText(now!.join(' / '))}`,
          drawScreen(actualFrame),
        ].join('\n'),
      };
    }
  },
});
