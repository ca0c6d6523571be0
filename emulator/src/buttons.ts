export type Button = 'left' | 'right' | 'both';

/** The numbers of signer-protocol §5, which are also one bit for each of the two keys. */
export const BUTTON_BITS = { left: 1, right: 2, both: 3 } as const;

/**
 * Two keys held and let go apart. As on a real signer a press acts when the last held key is let go, as all the keys that
 * were down since the first: so left and right pressed one after the other, in any order, are "both".
 */
export class Keys {
  #held = 0;
  #chord = 0;

  press(button: Button): void {
    this.#held |= BUTTON_BITS[button];
    this.#chord |= BUTTON_BITS[button];
  }

  /** The button to act on, if this release completes one. */
  release(button: Button): Button | undefined {
    this.#held &= ~BUTTON_BITS[button];
    if (this.#held !== 0 || this.#chord === 0) return undefined;
    const chord = this.#chord;
    this.#chord = 0;
    return chord === BUTTON_BITS.both ? 'both' : chord === BUTTON_BITS.left ? 'left' : 'right';
  }
}
