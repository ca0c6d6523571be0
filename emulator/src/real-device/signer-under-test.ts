import type { EventEmitter } from 'node:events';
import type { Transport } from '@zbc-signer/host';
import type { Button } from '../device/buttons.js';
import type { EmulatorEvents, EmulatorInput } from '../device/events.js';
import { type Screen, textsOf } from '../device/platform.js';

/** An expected screen, after a press if one is given. */
export interface ScreenStep {
  press?: Button;
  screen: Screen;
  /** Whether the screen was compared before, so that a user need not look at it again. */
  seen?: boolean;
  /** Whether the press decides the open review. */
  decides?: boolean;
  /** Number of the step in messages and in a trace. */
  number?: number;
}

/** The display differs from the expected screen. */
export interface WrongScreen {
  complaint: string;
  /** The first step that differs. */
  step: ScreenStep;
  /** A frame of 1024 bytes; absent if the display could not be read. */
  shown?: Uint8Array;
}

/** Presses the buttons and reads the display. */
export interface DeviceControls {
  /** Asks a person to perform the steps, like `followSteps`. Absent if presses are automatic. */
  follow?(steps: readonly ScreenStep[]): Promise<WrongScreen | undefined>;
  /**
   * Presses a button, if given. Resolves with the first frame for which `isMeant` returns true, or with the
   * current frame if no such frame appears in time. Absent if a person reads the display.
   */
  awaitFrame?(press: Button | undefined, isMeant: (frame: Uint8Array) => boolean): Promise<Uint8Array>;
  /** Shortens all later waits, because the signer has failed a check and may have many faults. */
  hurry?(): void;
  /** Cuts the power and restores it; returns false if that is impossible. */
  cutPower(): Promise<boolean>;
  /** Asks a person to enter the words of a seed; pages are not compared. Absent if presses are automatic. */
  enterWords?(mnemonic: string): Promise<void>;
  /** Present only if this program is the panel of the signer. */
  panel?: Panel;
}

/** The display and the keys of a signer, simulated by this program, which can imitate accidents of a user. */
export interface Panel {
  /**
   * Whether each frame is acknowledged to the signer. Without this, the next press only draws the frame
   * again.
   */
  answers: boolean;
  /** Acknowledges the last frame, or the frame before it, to the signer. */
  answer(frame: 'last' | 'before'): void;
  /** Holds these keys down, or none, while the signer runs for at least this number of milliseconds. */
  hold(keys: Button | undefined, milliseconds: number): Promise<void>;
  /**
   * Changes the keys, whose contacts first bounce for some milliseconds. Returns false if this machine was
   * delayed, so that a bounce may have been as long as a press.
   */
  bounce(keys: Button | undefined): Promise<boolean>;
}

/** Performs the steps in order. Resolves with the first wrong screen, if any. */
export async function followSteps(
  controls: DeviceControls,
  steps: readonly ScreenStep[],
): Promise<WrongScreen | undefined> {
  if (controls.follow) return controls.follow(steps);
  for (const step of steps) {
    const isMeant = (frame: Uint8Array) => Buffer.compare(frame, step.screen.frame) === 0;
    const shown = await controls.awaitFrame!(step.press, isMeant);
    if (isMeant(shown)) continue;
    const page = textsOf(step.screen).join(' / ');
    return { complaint: `${describePlace(step)}the display does not show "${page}"`, step, shown };
  }
  return undefined;
}

/** The place of a step as the beginning of a sentence. */
export function describePlace({ press, number }: ScreenStep): string {
  const pressed = press === undefined ? '' : ` (press ${press})`;
  if (number !== undefined) return `at step ${number}${pressed}, `;
  return press === undefined ? '' : `after ${press}, `;
}

/** A signer under test, with the seed of the golden cases or an empty keystore. */
export interface SignerUnderTest {
  /** Name in reports. */
  name: string;
  /** Opens a connection; several may be open at a time. */
  connect(): Transport;
  controls: DeviceControls;
}

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
  const onDecision = () => {
    if (last) last.decides = true;
  };
  emulator.on('input', onInput).on('screen', onScreen).on('decision', onDecision);
  return () => void emulator.off('input', onInput).off('screen', onScreen).off('decision', onDecision);
}
