import type { EventEmitter } from 'node:events';
import type { EmulatorEvents, EmulatorInput } from '../device/events.js';
import type { Screen } from '../device/platform.js';
import type { Step } from './signer-under-test.js';

/** The part of an Emulator that is followed. */
interface Pressed extends EventEmitter<EmulatorEvents> {
  readonly screen: Screen;
}

/**
 * Reports each press on an emulator as a step, whose screen is complete when the press returns; returns a
 * function that stops this.
 */
export function recordSteps(emulator: Pressed, onStep: (step: Step) => void): () => void {
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
