import type { EventEmitter } from 'node:events';
import type { EmulatorEvents, EmulatorInput } from '../device/events.js';
import type { Screen } from '../device/platform.js';
import type { ScreenStep } from './signer-under-test.js';

/** The part of an Emulator whose presses are recorded. */
interface Pressed extends EventEmitter<EmulatorEvents> {
  readonly screen: Screen;
}

/**
 * Reports each press on an emulator as a step. The screen of the step is complete when the press has
 * returned. Returns a function that ends the reports.
 */
export function recordSteps(emulator: Pressed, onStep: (step: ScreenStep) => void): () => void {
  let last: ScreenStep | undefined;
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
