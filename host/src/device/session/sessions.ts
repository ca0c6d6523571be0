import { bindMembers } from '@zbc-signer/protocol/bound-members';
import type { Transport } from '../transport/transport.js';
import { type SessionOptions, SignerSession } from './session.js';

/**
 * The sessions of several devices by serial number. All parts of a program share the session of a device, so
 * that the calls of all parts run one after another.
 */
export class Sessions {
  readonly #sessions = new Map<string, SignerSession>();

  constructor(private readonly options: SessionOptions = {}) {
    bindMembers(this);
  }

  /** Open sessions by serial number, in the order in which they were opened. */
  get all(): ReadonlyMap<string, SignerSession> {
    for (const [serialNumber, { state }] of this.#sessions) {
      if (state.state === 'closed') this.#sessions.delete(serialNumber);
    }
    return this.#sessions;
  }

  /**
   * The session of the device. If no session is open, `connect` creates the transport of a new one. The
   * transport must reach only that device, like `new HidTransport({ serialNumber })`.
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
