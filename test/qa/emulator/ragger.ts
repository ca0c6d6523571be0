// Sends the requests of Ragger's Speculos backend and its navigator in their order, and makes their
// comparisons, according to the sources of Ragger 1.47 and Speculos's client 0.27. Neither package is in
// Debian or on npm.
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { PNG } from 'pngjs';
import { callJson, httpRequest, openRequest, readBody } from '../../../testkit/network/http.js';

/** Ragger's text patterns for a Nano, by the subject of the review and the user's decision. */
export const PATTERNS = {
  transaction: {
    approve:
      '^((Accept risk and (sign (transaction|message|operation))?)|(Sign (transaction|message|operation)))$',
    reject: '^(Reject( (transaction|message|operation))?)$',
  },
  address: { approve: '^(Accept risk|Accept|Approve|Sign|Confirm)$', reject: '^(Cancel|Reject)$' },
} as const;

const TICK_MS = 100;
const TIMEOUT_MS = 10_000;

interface Event {
  text: string;
}

/** Compares pixels, like Ragger with PIL. */
function areEqual(first: Buffer, second: Buffer): boolean {
  return PNG.sync.read(first).data.equals(PNG.sync.read(second).data);
}

/** A connection to the REST port, with an open stream of events. */
export class Ragger {
  #lastScreen: Buffer = Buffer.alloc(0);
  #home: Buffer = Buffer.alloc(0);

  private constructor(
    private readonly url: string,
    private readonly stream: IncomingMessage,
  ) {}

  static async connect(url: string): Promise<Ragger> {
    const { response } = await openRequest('GET', `${url}/events?stream=true`);
    if (response.statusCode !== 200) throw new Error(`stream: ${response.statusCode}`);
    const ragger = new Ragger(url, response);
    while ((await ragger.#screenTexts()).length === 0) await sleep(TICK_MS);
    ragger.#home = ragger.#lastScreen = await ragger.screenshot();
    return ragger;
  }

  /** The next event of the stream: data lines up to an empty one. */
  async nextEvent(): Promise<Event> {
    let data = '';
    for (let line = await this.#readLine(); line !== ''; line = await this.#readLine()) {
      if (!line.startsWith('data: ')) throw new Error(`unexpected line ${JSON.stringify(line)}`);
      data += line.slice('data: '.length);
    }
    return JSON.parse(data);
  }

  async screenshot(): Promise<Buffer> {
    const { status, body } = await httpRequest('GET', `${this.url}/screenshot`);
    if (status !== 200) throw new Error(`screenshot: ${status}`);
    return body;
  }

  async exchange(apdu: string): Promise<string> {
    const body = { data: apdu, tick_timeout: 5 * 60 * 10 };
    return (await callJson<{ data: string }>('POST', `${this.url}/apdu`, body)).data;
  }

  /** Continues after the headers of the reply, runs `during`, and only then reads the reply. */
  async exchangeAsync(apdu: string, during: () => Promise<void>): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ data: apdu });
    const { response } = await openRequest('POST', `${this.url}/apdu`, { body, headers });
    await during();
    return JSON.parse((await readBody(response)).toString()).data;
  }

  /**
   * Presses right until a text matches from its start, then both; returns all screens, including the last.
   */
  async navigateUntilText(pattern: string): Promise<Buffer[]> {
    await this.#ticker('pause');
    await this.#waitForScreenChange();
    const screens = [this.#lastScreen];
    while (!(await this.#isOnScreen(pattern))) {
      await this.#press('right');
      await this.#waitForScreenChange();
      screens.push(this.#lastScreen);
    }
    await this.#press('both');
    await this.#waitForScreenChange();
    screens.push(this.#lastScreen);
    await this.#ticker('resume');
    return screens;
  }

  isHome(): boolean {
    return areEqual(this.#lastScreen, this.#home);
  }

  close(): void {
    this.stream.destroy();
  }

  async #isOnScreen(pattern: string): Promise<boolean> {
    return (await this.#screenTexts()).some(text => text.search(new RegExp(pattern)) === 0);
  }

  async #screenTexts(): Promise<string[]> {
    const url = `${this.url}/events?currentscreenonly=true`;
    const { events } = await callJson<{ events: Event[] }>('GET', url);
    return events.map(({ text }) => text).filter(text => text.trim() !== '');
  }

  async #waitForScreenChange(): Promise<void> {
    let screen = await this.screenshot();
    for (let waited = 0; areEqual(screen, this.#lastScreen); waited += TICK_MS) {
      if (waited >= TIMEOUT_MS) throw new Error('Timeout waiting for screen change');
      await this.#ticker('single-step');
      screen = await this.screenshot();
    }
    this.#lastScreen = screen;
  }

  async #press(button: string): Promise<void> {
    await callJson('POST', `${this.url}/button/${button}`, { action: 'press-and-release' });
  }

  async #ticker(action: 'pause' | 'resume' | 'single-step'): Promise<void> {
    await callJson('POST', `${this.url}/ticker/`, { action });
  }

  /** Reads byte by byte, like Python's readline on a raw response. */
  async #readLine(): Promise<string> {
    let line = '';
    for (;;) {
      const byte: Buffer | null = this.stream.read(1);
      if (byte?.toString() === '\n') return line;
      if (byte) line += byte.toString('latin1');
      else await new Promise(resolve => this.stream.once('readable', resolve));
    }
  }
}
