import type { Transport } from '../transport/transport.js';
import { type SessionOptions, SignerSession } from './session.js';

/**
 * The sessions of several devices, told apart by their serial numbers: all parts of a program that use a
 * device share its session, and with it one queue.
 */
export class Sessions {
  readonly #sessions = new Map<string, SignerSession>();

  constructor(private readonly options: SessionOptions = {}) {}

  /** By serial number, in the order of their opening; without those that are closed. */
  get all(): ReadonlyMap<string, SignerSession> {
    for (const [serialNumber, { state }] of this.#sessions) {
      if (state.state === 'closed') this.#sessions.delete(serialNumber);
    }
    return this.#sessions;
  }

  /**
   * The session of the device. `connect` makes its transport if there is none yet, and must reach that device
   * alone, as `new HidTransport({ serialNumber })` does.
   */
  open(serialNumber: string, connect: (serialNumber: string) => Transport): SignerSession {
    const known = this.all.get(serialNumber);
    if (known !== undefined) return known;
    const session = new SignerSession(connect(serialNumber), this.options);
    this.#sessions.set(serialNumber, session);
    return session;
  }

  /** Closes every session. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(session => session.close()));
    this.#sessions.clear();
  }
}
