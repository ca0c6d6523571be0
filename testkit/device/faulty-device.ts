import type { ReportDevice } from '@zbc-signer/host/reports';
import type { FakeClock } from '../time/fake-clock.js';
import { GET_APP_VERSION } from './apdu.js';
import { framed } from './reports.js';

export const FAULTS = ['drop', 'repeat', 'reorder', 'truncate', 'delay', 'inject'] as const;

/** A fault of one report of a session, in either direction. */
export interface Fault {
  kind: (typeof FAULTS)[number];
  /** For `repeat` and `reorder`, the number of reports before it; for `delay`, seconds; otherwise bytes. */
  amount: number;
}

/** Accepts reports and returns those of its replies, like an emulator. */
interface ReportPort {
  report(report: Uint8Array, deliver: (report: Uint8Array) => void): void;
}

type Forward = (report: Uint8Array) => void;

const REPORT = 64;
const COMMAND_TAG = 5;
/** Delay after which reordered reports are sent if no other report precedes them. */
const REORDERED_MS = 20;

/** One direction of a device's connection, with faults at some reports. */
class FaultyPipe {
  #held: { report: Uint8Array; after: number }[] = [];

  constructor(
    private readonly clock: FakeClock,
    private readonly forward: Forward,
    private readonly foreign: () => Uint8Array,
  ) {}

  pass(report: Uint8Array, fault: Fault | undefined): void {
    if (fault === undefined) this.forward(report);
    else this.#fail(fault, report);
    for (const held of this.#held) held.after -= 1;
    this.#release(0);
  }

  #fail({ kind, amount }: Fault, report: Uint8Array): void {
    if (kind === 'inject') this.forward(this.foreign());
    if (kind === 'inject' || kind === 'repeat') this.forward(report);
    if (kind === 'truncate') this.forward(report.subarray(0, amount % REPORT));
    if (kind === 'delay') this.clock.after(1000 * amount, () => this.forward(report));
    if (kind === 'repeat' || kind === 'reorder') {
      this.#held.push({ report, after: amount });
      this.clock.after(REORDERED_MS, () => this.#release(Number.POSITIVE_INFINITY));
    }
  }

  #release(after: number): void {
    const due = this.#held.filter(held => held.after <= after);
    this.#held = this.#held.filter(held => held.after > after);
    for (const { report } of due) this.forward(report);
  }
}

/**
 * A device whose connection drops, repeats, reorders, truncates or delays reports, or inserts another
 * program's. It notes the exchange of each reply's report.
 */
export class FaultyDevice implements ReportDevice {
  /** Number of reports so far, in both directions. */
  position = 0;
  /** The current exchange; set by the test. */
  exchange = 0;
  /** Reports of other exchanges that the host accepted as those of the current one. */
  readonly strays: string[] = [];
  /** Exchanges with a repeated report of the command, which may have two replies. */
  readonly #repeated = new Set<number>();
  /** The exchange that wrote each report, and the one that last used each channel. */
  readonly #sent = new WeakMap<Uint8Array, number>();
  readonly #senders = new Map<number, number>();
  /** The exchange of each reply's report. */
  readonly #answered = new WeakMap<Uint8Array, number>();
  readonly #out: FaultyPipe;
  readonly #in: FaultyPipe;
  #onReport: Forward = () => undefined;

  constructor(
    port: ReportPort,
    clock: FakeClock,
    private readonly faultAt: (position: number, report: Uint8Array) => Fault | undefined,
  ) {
    const foreign = (apdu: Uint8Array) => () => framed(this.#foreignChannel(), apdu)[0]!;
    this.#out = new FaultyPipe(
      clock,
      report => {
        const sender = this.#sent.get(report);
        // The endpoints accept only whole reports.
        if (report.length === REPORT) port.report(report, reply => this.#answer(sender, reply));
      },
      foreign(GET_APP_VERSION),
    );
    this.#in = new FaultyPipe(clock, report => this.#give(report), foreign(Uint8Array.of(0x90, 0)));
  }

  async write(reports: readonly Uint8Array[]): Promise<void> {
    for (const report of reports) this.#write(report);
  }

  listen(onReport: Forward): void {
    this.#onReport = onReport;
  }

  async close(): Promise<void> {
    this.#onReport = () => undefined;
  }

  #write(report: Uint8Array): void {
    this.#sent.set(report, this.exchange);
    if (report[2] === COMMAND_TAG) this.#senders.set(channelOf(report), this.exchange);
    const fault = this.#nextFault(report);
    if (fault?.kind === 'repeat') this.#repeated.add(this.exchange);
    this.#out.pass(report, fault);
  }

  #nextFault(report: Uint8Array): Fault | undefined {
    const fault = this.faultAt(this.position, report);
    this.position += 1;
    return fault;
  }

  #answer(exchange: number | undefined, reply: Uint8Array): void {
    if (exchange !== undefined) this.#answered.set(reply, exchange);
    const fault = this.#nextFault(reply);
    // A second reply is dropped if it would come after the host has reused its channel.
    const isEndless = fault?.kind === 'delay' && exchange !== undefined && this.#repeated.has(exchange);
    this.#in.pass(reply, isEndless ? undefined : fault);
  }

  /** The channel shows whether the host will accept a report as its own. */
  #give(report: Uint8Array): void {
    const answered = this.#answered.get(report);
    const isOwn = this.#senders.get(channelOf(report)) === this.exchange;
    if (isOwn && answered !== undefined && answered !== this.exchange) {
      this.strays.push(`a report of the reply to ${answered} came to ${this.exchange}`);
    }
    this.#onReport(report);
  }

  /** A channel that this program has not used recently, and will not use soon. */
  #foreignChannel(): number {
    const [used = 0] = this.#senders.keys();
    return used ^ 0x8000;
  }
}

function channelOf(report: Uint8Array): number {
  return (report[0]! << 8) | report[1]!;
}
