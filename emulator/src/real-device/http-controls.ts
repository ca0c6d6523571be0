import { setTimeout as pause } from 'node:timers/promises';
import { SCREEN_HEIGHT, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import type { Button } from '../device/buttons.js';
import { pngjs } from '../device/png.js';
import { EmulatorError } from '../errors.js';
import type { DeviceControls } from './signer-under-test.js';

/** Time limit for a screen after a press. Deriving a key and signing take the longest. */
const SCREEN_MS = 5000;
/** The same for a signer that has failed a check. */
const FAULTY_SCREEN_MS = 500;
/** Time after which a screen other than the one before the press is final. */
const STEADY_MS = 300;
const POLL_MS = 20;
const HALF_LIT = 0x80;
const NOT_FOUND = 404;

/**
 * Presses buttons and reads the screen over a REST interface like the emulator's
 * (docs/TESTING.md#rest-interface).
 */
export class HttpControls implements DeviceControls {
  readonly #url: string;
  #screenMs = SCREEN_MS;
  /** The frame that was read last. */
  #last: Uint8Array | undefined;

  constructor(
    url: string,
    private readonly signal: AbortSignal,
  ) {
    this.#url = url.replace(/\/+$/, '');
  }

  async awaitFrame(press: Button | undefined, isMeant: (frame: Uint8Array) => boolean): Promise<Uint8Array> {
    const before = this.#last;
    if (press !== undefined) {
      const path = `button/${press}`;
      const { ok, status } = await this.#post(path, { action: 'press-and-release' });
      if (!ok) throw this.#wrongStatus(path, status);
    }
    const end = performance.now() + this.#screenMs;
    for (let steadyFrom = performance.now(); ; ) {
      const previous = this.#last;
      const shown = await this.#frame();
      this.#last = shown;
      if (isMeant(shown)) return shown;
      const now = performance.now();
      if (!previous || !isEqual(shown, previous)) steadyFrom = now;
      const isFinal = before && !isEqual(shown, before) && now > steadyFrom + STEADY_MS;
      if (isFinal || now > end) return shown;
      await pause(POLL_MS, undefined, { signal: this.signal });
    }
  }

  hurry(): void {
    this.#screenMs = FAULTY_SCREEN_MS;
  }

  async cutPower(): Promise<boolean> {
    const { ok, status } = await this.#post('restart', {});
    if (!ok && status !== NOT_FOUND) throw this.#wrongStatus('restart', status);
    return ok;
  }

  async #frame(): Promise<Uint8Array> {
    const { ok, status, bytes } = await this.#fetch('screenshot');
    if (!ok) throw this.#wrongStatus('screenshot', status);
    return frameOf(bytes);
  }

  #post(path: string, body: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    return this.#fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** Rejects with DEVICE_UNSUITABLE if there is no answer, and with the signal's reason after an abort. */
  async #fetch(path: string, init: RequestInit = {}): Promise<Answer> {
    try {
      const response = await fetch(`${this.#url}/${path}`, { ...init, signal: this.signal });
      const { ok, status } = response;
      return { ok, status, bytes: Buffer.from(await response.arrayBuffer()) };
    } catch (cause) {
      this.signal.throwIfAborted();
      throw unsuitable(`${this.#url}/${path} does not answer`, cause);
    }
  }

  #wrongStatus(path: string, status: number): EmulatorError {
    return unsuitable(`${this.#url}/${path} answered with status ${status}`);
  }
}

const isEqual = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

interface Answer {
  ok: boolean;
  status: number;
  bytes: Buffer;
}

/** Converts a PNG of 128 by 64 pixels to a frame of 1024 bytes. */
function frameOf(png: Buffer): Uint8Array {
  const { width, height, data } = readPng(png);
  if (width !== SCREEN_WIDTH || height !== SCREEN_HEIGHT) {
    throw unsuitable(
      `the screenshot has ${width} by ${height} pixels, expected ${SCREEN_WIDTH} by ${SCREEN_HEIGHT}`,
    );
  }
  const frame = new Uint8Array((width * height) / 8);
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (data[4 * pixel]! >= HALF_LIT) frame[pixel >> 3]! |= HALF_LIT >> (pixel & 7);
  }
  return frame;
}

function readPng(bytes: Buffer): { width: number; height: number; data: Buffer } {
  try {
    return pngjs().PNG.sync.read(bytes);
  } catch (cause) {
    throw unsuitable('the screenshot is not a PNG', cause);
  }
}

function unsuitable(message: string, cause?: unknown): EmulatorError {
  return new EmulatorError('DEVICE_UNSUITABLE', message, cause === undefined ? {} : { cause });
}
