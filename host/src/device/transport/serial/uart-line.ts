import { createConnection, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { TransportError } from '../../../errors.js';
import { connectionError } from '../connection-error.js';
import type { ReportDevice } from '../report-device.js';
import { REPORT_LENGTH } from '../report-framing.js';
import { encodeUartPacket, UartPacketReader } from './uart-packets.js';

const ASK_MS = 1000;
const ASK_TRIES = 5;
/**
 * Pause after the first packet `A`. A signer that was about to send `A` when the host restarted sends it
 * twice.
 */
const SECOND_ANSWER_MS = 20;
/**
 * Time limit for packet `A`. The signer may first send a frame, and wait half a second for an absent panel.
 */
const TAKEN_MS = 5000;
const CLOSING_MS = 1000;

type Listener = Parameters<ReportDevice['listen']>;

/** Open lines by host and port. They are shared, because the server of a UART accepts only one connection. */
const lines = new Map<string, UartLine>();

/** Opens the signer on a UART that is reached over TCP; rejects with TransportError. */
export async function openUartDevice(host: string, port: number): Promise<ReportDevice> {
  const place = `${host}:${port}`;
  const open = lines.get(place);
  const line = open ?? new UartLine(host, port, () => lines.get(place) === line && lines.delete(place));
  lines.set(place, line);
  return line.join();
}

/** A connection to a UART (docs/APDU.md#uart), shared by all of this program's transports to it. */
class UartLine {
  readonly #socket: Socket;
  readonly #reader = new UartPacketReader();
  readonly #listeners = new Set<Listener>();
  readonly #ready: Promise<void>;
  #users = 0;
  #mayWrite = false;
  #written: Promise<unknown> = Promise.resolve();
  #failure: Error | undefined;
  /** Called after each packet and at the end of the connection. Ends a wait whose condition is then met. */
  #look: () => void = () => undefined;

  constructor(
    host: string,
    port: number,
    private readonly onEnd: () => void,
  ) {
    const place = `${host}:${port}`;
    this.#socket = createConnection({ host, port, noDelay: true });
    this.#socket.on('data', chunk => this.#read(chunk));
    this.#socket.on('error', cause => this.#fail(connectionError(place, cause)));
    this.#socket.on('close', () => this.#fail(connectionError(place, undefined)));
    this.#ready = this.#begin(place);
    this.#ready.catch(() => undefined);
  }

  async join(): Promise<ReportDevice> {
    this.#users += 1;
    try {
      await this.#ready;
    } catch (error) {
      this.#leave();
      throw error;
    }
    let listener: Listener | undefined;
    return {
      write: reports => this.#queue(reports),
      listen: (...added) => {
        listener = added;
        this.#listeners.add(added);
      },
      close: async () => {
        if (listener) this.#listeners.delete(listener);
        this.#leave();
      },
    };
  }

  /** Announces that the host has started, and waits until the signer accepts the first report. */
  async #begin(place: string): Promise<void> {
    for (let turn = 0; turn < ASK_TRIES && !this.#mayWrite; turn++) {
      this.#socket.write(encodeUartPacket('C'));
      await this.#untilMayWrite(ASK_MS);
    }
    if (!this.#mayWrite) {
      const hint = 'Check that the signer is on, and that no other program holds the UART.';
      const error = new TransportError('DEVICE_NOT_FOUND', `no signer answers on the UART at ${place}`, {
        hint,
      });
      this.#fail(error);
      throw error;
    }
    await pause(SECOND_ANSWER_MS);
  }

  #queue(reports: readonly Uint8Array[]): Promise<void> {
    const written = this.#written.then(() => this.#write(reports));
    this.#written = written.catch(() => undefined);
    return written;
  }

  async #write(reports: readonly Uint8Array[]): Promise<void> {
    for (const report of reports) {
      await this.#untilMayWrite(TAKEN_MS);
      if (!this.#mayWrite) {
        const error = new TransportError('DEVICE_DISCONNECTED', 'the signer no longer accepts reports');
        this.#fail(error);
        throw error;
      }
      this.#mayWrite = false;
      await new Promise(resolve => this.#socket.write(encodeUartPacket('R', report), resolve));
    }
  }

  /** Waits at most `limitMs` until the signer accepts a report. Rejects if the connection ends. */
  async #untilMayWrite(limitMs: number): Promise<void> {
    if (!this.#mayWrite && this.#failure === undefined) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, limitMs);
        this.#look = () => {
          if (!this.#mayWrite && this.#failure === undefined) return;
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  #read(chunk: Uint8Array): void {
    for (const { type, body } of this.#reader.take(chunk)) {
      if (type === 'A') this.#mayWrite = true;
      if (type !== 'R' || body.length !== REPORT_LENGTH) continue;
      for (const [onReport] of this.#listeners) onReport(body);
    }
    this.#look();
  }

  #leave(): void {
    this.#users -= 1;
    if (this.#users > 0 || this.#failure !== undefined) return;
    this.onEnd();
    // The server of the UART reads everything that was written, then closes the connection.
    this.#socket.end().unref();
    setTimeout(() => this.#socket.destroy(), CLOSING_MS).unref();
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.onEnd();
    this.#socket.destroy();
    this.#look();
    for (const [, onLost] of this.#listeners) onLost(error);
  }
}
