import type { Transport } from '@zbc-signer/host';
import type { Button } from '../device/buttons.js';
import { type Screen, textsOf } from '../device/platform.js';

/** A screen that has to be on the display, after a press if one is given. */
export interface Step {
  press?: Button;
  screen: Screen;
  /** It was compared before: a person need not look at it again on the way. */
  seen?: boolean;
}

/** The display does not show what it has to; frames of 1024 bytes. */
export interface WrongScreen {
  complaint: string;
  expected: Uint8Array;
  /** Absent where nobody could read the display. */
  shown?: Uint8Array;
}

/** Who presses the buttons and looks at the display. */
export interface Hands {
  /** Goes through the steps in order; resolves with the first that is wrong. */
  follow(steps: readonly Step[]): Promise<WrongScreen | undefined>;
  /**
   * Presses, if a button is given, and resolves with what the display shows: the first that is meant, or what is
   * there when none comes in time. Absent where a person reads the display.
   */
  see?(press: Button | undefined, isMeant: (frame: Uint8Array) => boolean): Promise<Uint8Array>;
  /** Cuts the power and gives it back; false when that cannot be done. */
  cut(): Promise<boolean>;
  /**
   * Has a person enter the words of a seed, which nobody compares page by page; absent where presses cost nothing.
   */
  enterWords?(mnemonic: string): Promise<void>;
  /** Absent where display and keys are not at this end. */
  panel?: Panel;
}

/** Display and keys at this end, which can do what a person does by accident. */
export interface Panel {
  /**
   * Whether the signer is told that a frame is shown. While it is not, the next press draws what was not shown,
   * and does nothing else.
   */
  answers: boolean;
  /** Tells that the last frame is shown, or the one before. */
  answer(frame: 'last' | 'before'): void;
  /** Has these keys down, or none, and lets the signer run for so many milliseconds at least. */
  hold(keys: Button | undefined, milliseconds: number): Promise<void>;
  /**
   * Has these keys down, or none, after contacts that bounced for some milliseconds. False when this machine
   * was held up, and a bounce may have been as long as a press.
   */
  bounce(keys: Button | undefined): Promise<boolean>;
}

type Eyes = Required<Pick<Hands, 'see'>>;

/** Goes through steps by a display that can be read. */
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

/** A signer that is tested: with the seed of the golden cases, or with an empty keystore. */
export interface SignerUnderTest {
  /** How reports name it. */
  name: string;
  /** A connection to it; several may be open at a time. */
  connect(): Transport;
  hands: Hands;
}
