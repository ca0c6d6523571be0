import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The pins of a Pico seen from above, with USB at the top. Pins 1 to 20 are on the left, from top to bottom;
 * pins 40 to 21 are on the right, from top to bottom.
 */
const LEFT = 'GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15'.split(
  ' ',
);
const RIGHT =
  'VBUS VSYS GND 3V3_EN 3V3 ADC_VREF GP28 GND GP27 GP26 RUN GP22 GND GP21 GP20 GP19 GP18 GND GP17 GP16'.split(
    ' ',
  );

const WIDTH = 720;
const HEIGHT = 520;
const BOARD = { x: 290, y: 60, width: 150, height: 430 };
const PITCH = 20;
const FIRST_PIN_Y = BOARD.y + 26;

interface Point {
  x: number;
  y: number;
}

/** Returns the GPIO that pins.h assigns to a name. */
function gpio(name: string): string {
  const source = readFileSync(join(root, 'firmware/boards/pico/pins.h'), 'utf8');
  const [, number] = new RegExp(`\\b${name} = (\\d+)`).exec(source) ?? [];
  if (!number) throw new Error(`pins.h has no ${name}`);
  return `GP${number}`;
}

/** Returns the position of a pin in the drawing, by its number on the board. */
function pinAt(number: number): Point {
  const isLeft = number <= 20;
  const row = isLeft ? number - 1 : 40 - number;
  return { x: isLeft ? BOARD.x : BOARD.x + BOARD.width, y: FIRST_PIN_Y + row * PITCH };
}

function numberOf(label: string): number {
  const left = LEFT.indexOf(label);
  return left >= 0 ? left + 1 : 40 - RIGHT.indexOf(label);
}

const text = (x: number, y: number, words: string, extra = ''): string =>
  `<text x="${x}" y="${y}" ${extra}>${words}</text>`;

function box({ x, y }: Point, width: number, height: number, fill: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${fill}" stroke="#222"/>`;
}

function pin(label: string, number: number): string {
  const { x, y } = pinAt(number);
  const isLeft = number <= 20;
  const [inside, outside] = isLeft ? [x + 10, x - 8] : [x - 10, x + 8];
  const [near, far] = isLeft ? ['start', 'end'] : ['end', 'start'];
  return [
    `<circle cx="${x}" cy="${y}" r="5" fill="#e0b040" stroke="#222"/>`,
    text(inside, y + 4, label, `fill="#fff" text-anchor="${near}"`),
    text(outside, y - 4, String(number), `fill="#777" font-size="9" text-anchor="${far}"`),
  ].join('\n');
}

function wire(color: string, ...points: Point[]): string {
  const line = points.map(({ x, y }) => `${x},${y}`).join(' ');
  return `<polyline points="${line}" fill="none" stroke="${color}" stroke-width="3"/>`;
}

const DISPLAY = { x: 30, y: 120, width: 150, height: 110 };
const DISPLAY_PINS = ['GND', 'VCC', 'SCL', 'SDA'];

function displayPin(label: string): Point {
  return { x: DISPLAY.x + DISPLAY.width, y: DISPLAY.y + 25 + DISPLAY_PINS.indexOf(label) * PITCH };
}

function display(): string {
  const labels = DISPLAY_PINS.map(label => {
    const { x, y } = displayPin(label);
    return `<circle cx="${x}" cy="${y}" r="5" fill="#e0b040" stroke="#222"/>\n${text(x - 10, y + 4, label, 'fill="#fff" text-anchor="end"')}`;
  });
  return [
    box(DISPLAY, DISPLAY.width, DISPLAY.height, '#1b3a6b'),
    box({ x: DISPLAY.x + 12, y: DISPLAY.y + 25 }, 80, 50, '#000'),
    text(DISPLAY.x + 52, DISPLAY.y + 54, 'SSD1306', 'fill="#9cf" text-anchor="middle"'),
    text(DISPLAY.x, DISPLAY.y - 10, 'OLED 0.96", 128 x 64, I2C, address 3C'),
    ...labels,
  ].join('\n');
}

/**
 * Returns the wires of the display. The wire of 3V3 crosses the top of the Pico, because the pin is on the
 * other side.
 */
function displayWires(): string[] {
  const at = (label: string) => pinAt(numberOf(label));
  const [sda, scl, ground, power] = [at(gpio('PIN_SDA')), at(gpio('PIN_SCL')), pinAt(8), at('3V3')];
  const straight = (color: string, from: Point, to: Point, x: number) =>
    wire(color, from, { x, y: from.y }, { x, y: to.y }, to);
  const over = { left: 250, top: 35, right: BOARD.x + BOARD.width + 45 };
  return [
    straight('#2a9d3a', sda, displayPin('SDA'), 205),
    straight('#d0a000', scl, displayPin('SCL'), 220),
    straight('#222', ground, displayPin('GND'), 235),
    wire(
      '#c22',
      power,
      { x: over.right, y: power.y },
      { x: over.right, y: over.top },
      { x: over.left, y: over.top },
      { x: over.left, y: displayPin('VCC').y },
      displayPin('VCC'),
    ),
  ];
}

const BUTTON_X = 590;
const BUTTONS = [
  { name: 'PIN_RIGHT', label: 'right', y: 380, bend: 480 },
  { name: 'PIN_LEFT', label: 'left', y: 450, bend: 495 },
];

function button({ name, label, y, bend }: (typeof BUTTONS)[number]): string {
  const from = pinAt(numberOf(gpio(name)));
  const ground = pinAt(23);
  return [
    wire('#2255cc', from, { x: bend, y: from.y }, { x: bend, y }, { x: BUTTON_X, y }),
    wire('#222', ground, { x: 520, y: ground.y }, { x: 520, y: y - 24 }, { x: BUTTON_X, y: y - 24 }),
    box({ x: BUTTON_X, y: y - 34 }, 44, 44, '#ddd'),
    `<circle cx="${BUTTON_X + 22}" cy="${y - 12}" r="13" fill="#444"/>`,
    text(BUTTON_X + 54, y - 8, label),
  ].join('\n');
}

function pico(): string {
  const middle = BOARD.x + BOARD.width / 2;
  return [
    box(BOARD, BOARD.width, BOARD.height, '#1f7a3d'),
    box({ x: middle - 22, y: BOARD.y - 12 }, 44, 26, '#bbb'),
    text(middle, BOARD.y + 6, 'USB', 'text-anchor="middle"'),
    text(middle, BOARD.y + 235, 'Pico', 'fill="#fff" text-anchor="middle" font-weight="bold"'),
    ...LEFT.map((label, index) => pin(label, index + 1)),
    ...RIGHT.map((label, index) => pin(label, 40 - index)),
  ].join('\n');
}

function content(): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11">`,
    '<!-- Generated by tools/generate/pico-wiring.ts from firmware/boards/pico/pins.h; do not edit. -->',
    '<title>Wiring of a Raspberry Pi Pico, an SSD1306 display and two buttons</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...displayWires(),
    pico(),
    display(),
    ...BUTTONS.map(button),
    '</svg>',
    '',
  ].join('\n');
}

/** The wiring of the Pico (docs/boards/pico.md), by the pins that its firmware uses. */
export const picoWiring = { path: 'docs/boards/pico-wiring.svg', content };
