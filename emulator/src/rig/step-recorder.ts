import type { EmulatorInput } from '../device/events.js';
import type { Screen } from '../device/platform.js';
import type { Emulator } from '../harness/emulator.js';
import type { Step } from './signer-under-test.js';

/** Hands over each press on an emulator as a step, whose screen is complete when the press returns. */
export function recordSteps(emulator: Emulator, onStep: (step: Step) => void): () => void {
  let last: Step | undefined;
  const onInput = (input: EmulatorInput) => {
    last = 'button' in input ? { press: input.button, screen: emulator.screen } : undefined;
    if (last) onStep(last);
  };
  const onScreen = (screen: Screen) => {
    if (last) last.screen = screen;
  };
  emulator.on('input', onInput).on('screen', onScreen);
  return () => void emulator.off('input', onInput).off('screen', onScreen);
}
