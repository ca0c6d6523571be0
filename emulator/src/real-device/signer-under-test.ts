import type { Transport } from '@zbc-signer/host';
import type { Button } from '../device/buttons.js';
import { type Screen, textsOf } from '../device/platform.js';

/** An expected screen, after a press if one is given. */
export interface Step {
  press?: Button;
  screen: Screen;
  /** Whether it was compared before: a person then need not look at it again. */
  seen?: boolean;
}

/** The display differs; frames have 1024 bytes. */
export interface WrongScreen {
  complaint: string;
  expected: Uint8Array;
  /** Absent if the display could not be read. */
  shown?: Uint8Array;
}

/** Presses the buttons and reads the display. */
export interface Hands {
  /** Performs the steps in order; resolves with the first wrong screen. */
  follow(steps: readonly Step[]): Promise<WrongScreen | undefined>;
  /**
   * Presses a button, if given, and resolves with the first intended frame, or with the current one if none
   * appears in time. Absent if a person reads the display.
   */
  see?(press: Button | undefined, isMeant: (frame: Uint8Array) => boolean): Promise<Uint8Array>;
  /** Cuts the power and restores it; returns false if that is impossible. */
  cut(): Promise<boolean>;
  /** Lets a person enter the words of a seed, without comparing pages; absent if presses are automatic. */
  enterWords?(mnemonic: string): Promise<void>;
  /** Absent unless display and keys are at this end. */
  panel?: Panel;
}

/** Display and keys at this end, for reproducing a person's accidents. */
export interface Panel {
  /**
   * Whether the signer is informed that a frame is shown. If not, the next press only draws the frame again.
   */
  answers: boolean;
  /** Reports that the last frame, or the one before, is shown. */
  answer(frame: 'last' | 'before'): void;
  /** Holds these keys down, or none, and lets the signer run for at least so many milliseconds. */
  hold(keys: Button | undefined, milliseconds: number): Promise<void>;
  /**
   * Changes the keys after bouncing contacts of some milliseconds. Returns false if this machine was delayed,
   * so that a bounce may have been as long as a press.
   */
  bounce(keys: Button | undefined): Promise<boolean>;
}

type Eyes = Required<Pick<Hands, 'see'>>;

/** Performs steps with a display that can be read. */
export async function followBySight(eyes: Eyes, steps: readonly Step[]): Promise<WrongScreen | undefined> {
  for (const [index, { press, screen }] of steps.entries()) {
    const isMeant = (frame: Uint8Array) => Buffer.compare(frame, screen.frame) === 0;
    const shown = await eyes.see(press, isMeant);
    if (isMeant(shown)) continue;
    const after = press === undefined ? '' : `after ${press} (step ${index + 1}), `;
    return {
      complaint: `${after}the display does not show "${textsOf(screen).join(' / ')}"`,
      expected: screen.frame,
      shown,
    };
  }
  return undefined;
}

/** A signer under test, with the seed of the golden cases or an empty keystore. */
export interface SignerUnderTest {
  /** Name in reports. */
  name: string;
  /** Opens a connection; several may be open at a time. */
  connect(): Transport;
  hands: Hands;
}
