import type { ReportDevice } from '@zbc-signer/host/reports';
import type { FakeClock } from '../time/fake-clock.js';
import { GET_APP_VERSION } from './apdu.js';
import { framed } from './reports.js';

export const FAULTS = ['drop', 'repeat', 'reorder', 'truncate', 'delay', 'inject'] as const;

/** A fault that changes one report of a session, in either direction. */
export interface Fault {
  kind: (typeof FAULTS)[number];
  /**
   * For `repeat` and `reorder`, the number of other reports after which the report is sent. For `delay`, a
   * number of seconds. For `truncate`, a number of bytes.
   */
  amount: number;
}

/** Accepts reports, and delivers the reports of the replies, as an emulator does. */
interface ReportPort {
  report(report: Uint8Array, deliver: (report: Uint8Array) => void): void;
}

type Forward = (report: Uint8Array) => void;

const REPORT = 64;
const COMMAND_TAG = 5;
/** Delay after which a reordered report is sent even if no other report was sent before it. */
const REORDERED_MS = 20;

/** One direction of the connection to a device. Some reports have faults. */
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
 * A device whose connection drops, repeats, reorders, truncates or delays reports, or inserts reports of
 * another program. An exchange is a command and its reply. The class records to which exchange each report of
 * a reply belongs.
 */
export class FaultyDevice implements ReportDevice {
  /** Number of reports so far, in both directions. */
  position = 0;
  /** Number of the current exchange or upload. The test sets it. */
  exchange = 0;
  /**
   * Descriptions of reports that belong to another exchange, but that the host accepted for the current
   * exchange.
   */
  readonly strays: string[] = [];
  /** Exchanges in which a report of the command was repeated. They may have two replies. */
  readonly #repeated = new Set<number>();
  /** The exchange that sent each report, and the exchange that last used each channel. */
  readonly #sent = new WeakMap<Uint8Array, number>();
  readonly #senders = new Map<number, number>();
  /** The exchange to which each report of a reply belongs. */
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
        // The endpoints of a device accept only reports of full length.
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
    // A second reply is dropped if it would arrive after the host has reused its channel.
    const isEndless = fault?.kind === 'delay' && exchange !== undefined && this.#repeated.has(exchange);
    this.#in.pass(reply, isEndless ? undefined : fault);
  }

  /** Delivers a report to the host. The host accepts it if its channel belongs to the current exchange. */
  #give(report: Uint8Array): void {
    const answered = this.#answered.get(report);
    const isOwn = this.#senders.get(channelOf(report)) === this.exchange;
    if (isOwn && answered !== undefined && answered !== this.exchange) {
      this.strays.push(
        `the host accepted a report of the reply to exchange ${answered} in exchange ${this.exchange}`,
      );
    }
    this.#onReport(report);
  }

  /** Returns a channel that this program has not used recently, and will not use soon. */
  #foreignChannel(): number {
    const [used = 0] = this.#senders.keys();
    return used ^ 0x8000;
  }
}

function channelOf(report: Uint8Array): number {
  return (report[0]! << 8) | report[1]!;
}
