import type { ScreenState } from '../src/command-log/entry.js';
import { byId, element } from './elements.js';

const LIT = [0xea, 0xf2, 0xf4, 0xff];
const DARK = [0x04, 0x06, 0x08, 0xff];

const canvas = byId('screen', HTMLCanvasElement);
const texts = byId('texts', HTMLElement);

let shown = '';

export function showScreen(screen: ScreenState): void {
  drawFrame(atob(screen.frame));
  // Screen readers announce a live region on every write.
  const next = JSON.stringify(screen.texts);
  if (next === shown) return;
  shown = next;
  const [title = '', ...lines] = screen.texts;
  texts.replaceChildren(element('p', 'title', title), ...lines.map(line => element('p', 'value', line)));
}

function drawFrame(bytes: string): void {
  const { width, height } = canvas;
  const image = new ImageData(width, height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const lit = (bytes.charCodeAt(pixel >> 3) >> (7 - (pixel & 7))) & 1;
    image.data.set(lit ? LIT : DARK, 4 * pixel);
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}
