/** A button of the device, or both at once. */
export type Button = 'left' | 'right' | 'both';

/** The HAL's button numbers: one bit for each of the two keys. */
export const BUTTON_BITS = { left: 1, right: 2, both: 3 } as const;

/**
 * Two keys pressed and released separately. As on a real signer, a press takes effect when the last held key
 * is released and counts every key held since the first: overlapping left and right, in any order, are
 * "both".
 */
export class Keys {
  #held = 0;
  #chord = 0;

  press(button: Button): void {
    this.#held |= BUTTON_BITS[button];
    this.#chord |= BUTTON_BITS[button];
  }

  /** The button pressed, if this release completes a press. */
  release(button: Button): Button | undefined {
    this.#held &= ~BUTTON_BITS[button];
    if (this.#held !== 0 || this.#chord === 0) return undefined;
    const chord = this.#chord;
    this.#chord = 0;
    return chord === BUTTON_BITS.both ? 'both' : chord === BUTTON_BITS.left ? 'left' : 'right';
  }
}
