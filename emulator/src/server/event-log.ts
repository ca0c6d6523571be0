import type { Screen, ScreenText } from '../device/platform.js';
import type { Emulator } from '../harness/emulator.js';

/** A drawn text in the format of Speculos. */
interface TextEvent extends ScreenText {
  clear: false;
}

/** Far more than a test draws between two DELETEs; the oldest are dropped. */
const MAX_EVENTS = 10_000;

export function eventsOf(screen: Screen): TextEvent[] {
  return screen.texts.map(text => ({ ...text, clear: false }));
}

/** The texts drawn so far, until cleared. */
export class EventLog {
  #events: TextEvent[];

  constructor(emulator: Emulator) {
    this.#events = eventsOf(emulator.screen);
    emulator.on('screen', screen => {
      this.#events.push(...eventsOf(screen));
      if (this.#events.length > MAX_EVENTS) this.#events.splice(0, this.#events.length - MAX_EVENTS);
    });
  }

  get events(): readonly TextEvent[] {
    return this.#events;
  }

  clear(): void {
    this.#events = [];
  }
}
