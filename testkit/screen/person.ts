import { stripVTControlCharacters } from 'node:util';
import { drawScreen } from '@zbc-signer/emulator/screen-art';
import { PNG } from 'pngjs';
import { callJson, httpRequest } from '../network/http.js';
import { until } from '../time/until.js';

/** The answer of the automated person when the harness asks for the difference on a screen. */
export const COMPLAINT = 'a wrong letter';

/**
 * An automated person at the terminal of the harness, who only knows the text on the terminal. `act` performs
 * the action that a page demands, and resolves with the answer to type. Pages are counted from 1.
 */
export class Person {
  /** The text that the terminal has shown so far, without carriage returns. */
  shown = '';
  pages = 0;
  #read = 0;

  constructor(
    private readonly type: (text: string) => void,
    private readonly act: (asked: string, page: number) => Promise<string>,
  ) {}

  see(text: string): void {
    this.shown += text.replaceAll('\r', '');
    void this.#answer();
  }

  async #answer(): Promise<void> {
    const unread = stripVTControlCharacters(this.shown).slice(this.#read);
    const [asked = '', question] = /^[\s\S]*?(Is it the same\?|show instead\?)[^:]*: /.exec(unread) ?? [];
    this.#read += asked.length;
    if (question === 'show instead?') this.type(`${COMPLAINT}\r`);
    if (question === 'Is it the same?') this.type(await this.act(asked, ++this.pages));
  }
}

/**
 * Presses the buttons that a page demands, on the device of a REST interface. Waits until the texts of the
 * device match the page, and compares its pixels with the drawing on the page. Returns the answer to type.
 */
export async function follow(api: string, asked: string): Promise<string> {
  const [, name, often = 'once'] =
    /Press (?:the )?(left|right|both|nothing).*?(once|\d+ times)?\. /.exec(asked) ?? [];
  const times = often === 'once' ? 1 : Number.parseInt(often, 10);
  for (let at = 0; at < times && name !== 'nothing'; at++)
    await callJson('POST', `${api}/button/${name}`, { action: 'press-and-release' });
  await until(async () => asked.includes(await textsOn(api)));
  return asked.includes(drawScreen(await frameOn(api))) ? '\r' : 'd\r';
}

/** Returns the texts on the device in the format of the harness. */
async function textsOn(api: string): Promise<string> {
  const { events } = await callJson<{ events: { text: string }[] }>(
    'GET',
    `${api}/events?currentscreenonly=true`,
  );
  return events.map(({ text }) => `  ${text}\n`).join('');
}

async function frameOn(api: string): Promise<Uint8Array> {
  const { width, height, data } = PNG.sync.read((await httpRequest('GET', `${api}/screenshot`)).body);
  const frame = new Uint8Array((width * height) / 8);
  for (let pixel = 0; pixel < width * height; pixel++)
    if (data[4 * pixel]! > 0x7f) frame[pixel >> 3]! |= 0x80 >> (pixel & 7);
  return frame;
}
