import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type EmulatorServer, startEmulatorServer } from '@zbc-signer/emulator';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { joinPages } from '#emulator/review/review-pages.js';
import { apdu, send, signMessage, signTransaction } from '../../../testkit/device/apdu.js';
import { crashingFirmware } from '../../../testkit/device/crashing-firmware.js';
import { startServer } from '../../../testkit/device/device-host.js';
import { freePort } from '../../../testkit/network/free-port.js';
import { transactions } from '../../../testkit/repository/vectors.js';
import { until } from '../../../testkit/time/until.js';
import { chromiumOfFile } from '../chromium-of-file.js';

const browser = chromiumOfFile();
let server: EmulatorServer;
let page: Page;
/** Complaints of the browser: failed scripts, and everything that the page's policy blocked. */
let complaints: string[];
let requests: string[];

beforeEach(async () => {
  // Two tests restart the server on the same port.
  server = await startServer({ apiPort: await freePort() });
  page = await openPanel();
});

afterEach(async () => {
  await page.context().close();
  await server.close();
});

async function openPanel(colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser().newContext({ colorScheme, viewport: { width: 1360, height: 900 } });
  const opened = await context.newPage();
  complaints = [];
  requests = [];
  opened.on('console', message => complaints.push(message.text()));
  opened.on('pageerror', error => complaints.push(error.message));
  opened.on('request', request => requests.push(request.url()));
  await opened.goto(server.api);
  await sees('#connection', 'Live', opened);
  return opened;
}

/** Waits until the first element of this selector shows this text. */
async function sees(selector: string, text: string, where = page): Promise<void> {
  await where.locator(selector).filter({ hasText: text }).first().waitFor();
}

const shownTexts = () => page.locator('#texts p').allTextContents();

/** Performs an action that changes the screen, and waits until the panel shows it. */
async function turn(act: () => Promise<void>): Promise<void> {
  const drawn = once(server.emulator, 'screen');
  await act();
  await drawn;
  await until(async () => (await shownTexts()).join() === server.emulator.texts().join());
}

const example = transactions.cases.find(({ linked, tx }) => !linked && tx.length > 2 * 255)!;

/** Signs like a user of the page; returns the shown screens. */
async function approveBy(right: () => Promise<void>, both: () => Promise<void>): Promise<string[][]> {
  const pages: string[][] = [];
  const exchange = (command: Uint8Array) => server.emulator.exchange(command);
  let reply: ReturnType<typeof send> | undefined;
  await turn(async () => {
    reply = send(exchange, signTransaction(example));
    await server.emulator.waitForReview();
  });
  while ((await shownTexts())[0] !== 'Sign transaction') {
    pages.push(await shownTexts());
    await turn(right);
  }
  await turn(both);
  const { signature, tx_hash } = example.expect;
  expect((await reply)!.data.toString('hex')).toBe(signature + tx_hash);
  await sees('#commands li:first-child .reply', `9000 OK signed, transaction hash ${tx_hash}`);
  return pages;
}

const inOneLine = (review: readonly (readonly string[])[]) =>
  review.map(([title, value]) => [title, value!.replaceAll('\n', '')]);

describe('a whole signing', () => {
  test('is read and approved by clicking', async () => {
    const pages = await approveBy(
      () => page.getByRole('button', { name: 'Right' }).click(),
      () => page.getByRole('button', { name: 'Press both' }).click(),
    );
    expect(inOneLine(joinPages(pages))).toEqual(inOneLine(example.expect.review));
    expect(complaints).toEqual([]);
  });

  test('is read and approved by the arrow keys', async () => {
    const pages = await approveBy(
      () => page.keyboard.press('ArrowRight'),
      () => page.keyboard.press('ArrowDown'),
    );
    expect(inOneLine(joinPages(pages))).toEqual(inOneLine(example.expect.review));
  });

  test('can be approved with only Tab and Enter', async () => {
    const pressing = (name: string) => async () => {
      const focused = page.locator(':focus');
      while ((await focused.count()) === 0 || !(await focused.textContent())!.includes(name)) {
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
    };
    await approveBy(pressing('Right'), pressing('Press both'));
  });

  test('is rejected from the command box', async () => {
    await page.getByRole('button', { name: 'Sign a message' }).click();
    await turn(() => page.getByRole('button', { name: 'Send', exact: true }).click());
    await sees('#commands li:first-child .reply', 'waiting for the user');
    while ((await shownTexts())[0] !== 'Reject message') await turn(() => page.locator('#right').click());
    await page.locator('#both').click();
    await sees('#apdu-result', 'Command 2 of 2: status 6985.');
    await sees('#commands li:first-child .reply', '6985 USER_REJECTED rejected by the user');
  });
});

describe('the arrow keys', () => {
  test('press left and right, and press once however long they are held', async () => {
    await turn(() => page.keyboard.down('ArrowRight'));
    await page.keyboard.down('ArrowRight');
    await page.keyboard.down('ArrowRight');
    await page.keyboard.up('ArrowRight');
    await turn(() => page.keyboard.press('ArrowLeft'));
    expect(await shownTexts()).toEqual(['ZBC Signer', 'is ready']);
  });

  test('are left to the browser with Alt or inside a text field', async () => {
    await page.keyboard.press('Alt+ArrowRight');
    await page.getByRole('textbox', { name: 'Send commands' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.locator('#left').focus();
    await turn(() => page.keyboard.press('ArrowRight'));
    expect(await shownTexts()).toEqual(['Settings']);
  });
});

test('the panel shows every pixel of the screen as one square of one colour', async () => {
  await turn(() => page.locator('#right').click());
  const { width, height, data } = PNG.sync.read(await page.locator('#screen').screenshot());
  const scale = width / 128;
  expect([scale, height]).toEqual([4, 256]);
  const frame = server.emulator.frame();
  const wrong: string[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = Math.floor(y / scale) * 128 + Math.floor(x / scale);
      const lit = ((frame[pixel >> 3]! >> (7 - (pixel & 7))) & 1) === 1;
      const colour = data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3).toString('hex');
      if (colour !== (lit ? 'eaf2f4' : '040608')) wrong.push(`${x},${y} ${colour}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the panel follows the device without sending requests', async () => {
  const asked = requests.length;
  await turn(async () => server.emulator.press('right'));
  await server.emulator.exchange(Uint8Array.of(0xe0, 3, 0, 0, 0));
  await sees('#commands .words', 'Get version');
  await sees('#events .text', 'Settings');
  expect(requests.slice(asked)).toEqual([]);
});

test('the panel sends no request to another server', async () => {
  await page.locator('#right').click();
  await sees('#texts', 'Settings');
  expect(requests.filter(url => !url.startsWith(`${server.api}/`))).toEqual([]);
  expect(complaints).toEqual([]);
});

test('the panel shows everything that hosts send as text', async () => {
  const hostile = '<img src=/x onerror=alert(1)><b>&amp;';
  const pending = send(
    command => server.emulator.exchange(command),
    signMessage(0, Buffer.from(hostile, 'ascii')),
  );
  await server.emulator.waitForReview();
  await turn(() => page.locator('#right').click());
  expect((await shownTexts()).slice(1).join('')).toBe(hostile);
  await sees('#events .text', '<img');
  expect(await page.locator('img, b').count()).toBe(0);
  await server.emulator.approve();
  await pending;
  expect(complaints).toEqual([]);
});

test('the panel restarts the device, opens the session as a trace, saves it as a test, and copies commands', async () => {
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('#commands summary').click();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await sees('#commands .copy', 'Copied');
  const line = `curl -d '{"data":"e003000000"}' ${server.api}/apdu`;
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(line);
  await turn(() => page.locator('#right').click());
  await turn(() => page.getByRole('button', { name: 'Restart' }).click());
  expect(await shownTexts()).toEqual(['ZBC Signer', 'is ready']);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Open as trace' }).click();
  await (await opened).locator('tr', { hasText: 'press right' }).waitFor();
  await page.locator('#runner').selectOption('node');
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save' }).click();
  const saved = await downloaded;
  expect(readFileSync(await saved.path(), 'utf8')).toContain("emulator.press('right');");
  // Each runner accepts this file without a compiler.
  expect(saved.suggestedFilename()).toMatch(/\.test\.mjs$/);
  await page.locator('#runner').selectOption('pytest');
  await page.getByRole('button', { name: 'Save' }).click();
  await sees('#session-fault', 'Python');
  expect(complaints).toEqual([expect.stringMatching(/status of 409/)]);
});

test('the panel reports an invalid command before sending it', async () => {
  const box = page.getByRole('textbox', { name: 'Send commands' });
  for (const [text, fault] of [
    ['e003000000\nxyz', 'Line 2 has “x”, which is not a hexadecimal digit.'],
    ['e0030', 'Line 1 has an odd number of digits.'],
    ['00'.repeat(262), 'Line 1 is 262 bytes long; the maximum is 261.'],
    [' \n', 'Nothing to send.'],
  ] as const) {
    await box.fill(text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await sees('#apdu-result', fault);
    expect(await box.getAttribute('aria-invalid')).toBe('true');
  }
  await box.fill('E0 03 00 00 00');
  await box.press('Control+Enter');
  await sees('#apdu-result', 'Command 1 of 1: status 9000.');
  expect(await page.locator('#commands li').count()).toBe(1);
});

test('the panel reports that the emulator was stopped, and reconnects when it starts again', async () => {
  await turn(() => page.locator('#right').click());
  const apiPort = Number(new URL(server.api).port);
  await server.close();
  // The beginning of the text depends on whether the connection was lost before the message was read.
  await sees('#connection', '; reconnecting');
  await page.locator('#right').click();
  await sees('#press-error', 'The emulator did not answer.');
  server = await startEmulatorServer({ apiPort, apduPort: 0, ledgerPort: 0 });
  await sees('#connection', 'Live');
  expect(await shownTexts()).toEqual(['ZBC Signer', 'is ready']);
  expect(await page.locator('#events li').count()).toBe(1);
});

test('the panel reconnects even if another server used the port in the meantime', async () => {
  const apiPort = Number(new URL(server.api).port);
  await server.close();
  const stranger = createServer((_request, response) => response.writeHead(404).end()).listen(
    apiPort,
    '127.0.0.1',
  );
  const [, asked] = await Promise.all([once(stranger, 'listening'), page.waitForResponse(/stream$/)]);
  expect(asked.status()).toBe(404);
  stranger.close();
  stranger.closeAllConnections();
  await once(stranger, 'close');
  server = await startEmulatorServer({ apiPort, apduPort: 0, ledgerPort: 0 });
  await sees('#connection', 'Live');
});

test('the panel reports a crash of the firmware', async () => {
  await server.close();
  server = await startServer({ module: await crashingFirmware() });
  page = await openPanel();
  const pending = server.emulator.exchange(apdu(2));
  await sees('#texts', 'ITEM');
  await page.locator('#left').click();
  await sees('#press-error', 'Not pressed: the firmware crashed: unreachable');
  await sees('#events .fault', 'the firmware crashed: unreachable');
  await sees('#commands .reply', '6F00 INTERNAL');
  await pending;
});
