import { Emulator } from '@zbc-signer/emulator';
import { ReportTransport } from '@zbc-signer/host/reports';
import { FakeClock } from '../time/fake-clock.js';
import { type Fault, FaultyDevice } from './faulty-device.js';

/** Time after which an exchange counts as hung. It is longer than any time that a host may need. */
const HANGS_MS = 120_000;

export type Outcome<T> = { value: T } | { error: Error } | 'hung';

/**
 * A host and a device with a faulty connection, and a user who approves every review after `reviewMs`. The
 * session runs on a fake clock, without waiting.
 */
export class FaultySession {
  readonly clock = new FakeClock();
  /** Returns the fault of the report at a position, if any. The test sets it. */
  faultAt: (position: number, report: Uint8Array) => Fault | undefined = () => undefined;
  /** Duration of a review. It is so long that a host asks twice whether the review is open. */
  reviewMs = 5000;
  /** Whether the user approves reviews. */
  hasUser = true;
  readonly device: FaultyDevice;
  readonly #transport: ReportTransport;
  /** Whether the last reply asked for the next chunk of an upload. */
  #isUploading = false;

  static async start(): Promise<FaultySession> {
    return new FaultySession(await Emulator.start());
  }

  private constructor(readonly emulator: Emulator) {
    this.device = new FaultyDevice(emulator, this.clock, (position, report) =>
      this.faultAt(position, report),
    );
    this.#transport = new ReportTransport(async () => this.device);
    emulator.on('command', reply => {
      if (reply === undefined) this.clock.after(this.reviewMs, () => this.#approve());
    });
    this.clock.install();
  }

  async exchange(apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    const [, ins, p1] = apdu;
    const isUpload = ins === 0x06 || ins === 0x07;
    // The exchanges from a header to the result have one channel, so they count as one.
    if (!this.#isUploading || (isUpload && p1 === 0)) this.device.exchange += 1;
    this.#isUploading = false;
    const reply = await this.#transport.exchange(apdu, signal);
    this.#isUploading = isUpload && Buffer.from(reply).toString('hex') === '9000';
    return reply;
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async outcomeOf<T>(promise: Promise<T>): Promise<Outcome<T>> {
    let outcome: Outcome<T> = 'hung';
    promise.then(
      value => {
        outcome = { value };
      },
      error => {
        outcome = { error };
      },
    );
    const limit = this.clock.now + HANGS_MS;
    do await this.clock.settle();
    while (outcome === 'hung' && this.clock.now < limit && this.clock.advance());
    return outcome;
  }

  /** Lets time pass until all pending reports have arrived. */
  async drain(): Promise<void> {
    do await this.clock.settle();
    while (this.clock.advance());
  }

  end(): void {
    this.clock.uninstall();
    this.emulator.stop();
  }

  #approve(): void {
    if (this.hasUser && this.emulator.reviewing) void this.emulator.approve();
  }
}
