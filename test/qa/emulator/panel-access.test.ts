import type { EmulatorServer } from '@zbc-signer/emulator';
import type { Page } from 'playwright-core';
import { getPublicKey, send, signTransaction } from '../../../testkit/device/apdu.js';
import { startServer } from '../../../testkit/device/device-host.js';
import { refusals } from '../../../testkit/repository/vectors.js';
import { CONTRASTS, type Contrast } from '../../../testkit/screen/contrasts.js';
import { faultsOf } from '../../../testkit/screen/layout.js';
import { chromiumOfFile } from '../chromium-of-file.js';

const browser = chromiumOfFile();
let server: EmulatorServer;
let pending: Promise<unknown>;

// A page with each element: replies of every outcome, a waiting command, and a fault in the command box.
beforeEach(async () => {
  server = await startServer();
  const { emulator } = server;
  const exchange = (command: Uint8Array) => emulator.exchange(command);
  await send(exchange, signTransaction(refusals.cases[0]!));
  const rejected = exchange(getPublicKey(0, true));
  await emulator.reject();
  await rejected;
  const link = emulator.transport();
  const dropped = link.exchange(getPublicKey(0, true)).catch(() => undefined);
  link.close();
  await dropped;
  pending = exchange(getPublicKey(0, true)).catch(() => undefined);
});

afterEach(async () => {
  await server.emulator.cancel();
  await pending;
  await server.close();
});

async function openPanel(colorScheme: 'light' | 'dark', width = 1360): Promise<Page> {
  const page = await browser().newPage({ colorScheme, viewport: { width, height: 900 } });
  await page.goto(server.api);
  await page.locator('#connection[data-state=live]').waitFor();
  await page.getByRole('textbox', { name: 'Send commands' }).fill('e0x');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('#commands summary').first().click();
  return page;
}

describe.each(['light', 'dark'] as const)('in %s', scheme => {
  test('every text of the panel has a contrast of 4.5 or more', async () => {
    const page = await openPanel(scheme);
    const found = await page.evaluate<Contrast[]>(CONTRASTS);
    const texts = found.map(({ text }) => text);
    expect(texts).toEqual(
      expect.arrayContaining([
        'Live',
        'Press both',
        'waiting for the user',
        'no reply',
        '6985 USER_REJECTED',
      ]),
    );
    expect(found.filter(({ contrast }) => contrast < 4.5)).toEqual([]);
    await page.close();
  });

  test.each([390, 1360])('the panel of %d pixels keeps its scale, and axe finds nothing', async width => {
    const page = await openPanel(scheme, width);
    expect(await faultsOf(page)).toEqual([]);
    await page.close();
  });

  test('the focused element is outlined', async () => {
    const page = await openPanel(scheme);
    const names: string[] = [];
    await page.locator('#left').focus();
    for (let stop = 0; stop < 8; stop++) {
      await page.keyboard.press(stop === 0 ? 'Shift' : 'Tab');
      const [name, outline] = await page.evaluate<[string, string]>(
        `(e => [e.id || e.textContent.trim(), getComputedStyle(e).outline])(document.activeElement)`,
      );
      names.push(name);
      expect([name, outline]).toEqual([name, expect.stringMatching(/solid 3px$/)]);
    }
    expect(names).toEqual([
      'left',
      'right',
      'both',
      'apdu',
      'Send',
      'Version',
      'Show address',
      'Sign a message',
    ]);
    await page.close();
  });
});

test('every control of the panel has a name, and the panel reports what the screen shows', async () => {
  const page = await openPanel('light');
  const tree = await page.locator('body').ariaSnapshot();
  for (const line of [
    'heading "ZBC Signer emulator" [level=1]',
    'status: Live',
    'region "Device"',
    'button "Left"',
    'button "Right"',
    'button "Press both"',
    'img "Screen; its text is below"',
    'status "On the screen":',
    'paragraph: Address',
    'textbox "Send commands"',
    'button "Send"',
    'group "Examples"',
    'list "Commands"',
    'list "Events"',
  ]) {
    expect(tree).toContain(`- ${line}`);
  }
  expect(tree).not.toMatch(/- (button|textbox|img|list)(:|$)/m);
  expect(await page.locator('#texts').getAttribute('aria-live')).toBe('polite');
  await page.close();
});

test.each([320, 390, 768, 1024, 1920])('the panel fits a window of %d pixels', async width => {
  const page = await openPanel('light', width);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  const box = (await page.locator('#screen').boundingBox())!;
  expect([box.width % 128, box.height % 64, box.width / box.height]).toEqual([0, 0, 2]);
  await page.close();
});
