// Tests a signer with a keystore in front of it (docs/APDU.md#exports).
import { SIGN_MESSAGE_HEADER_LENGTH } from '@zbc-signer/protocol/limits';
import { BareDevice } from '../../testkit/device/bare-device.js';

const LEFT = 1;
const RIGHT = 2;
const BOTH = 3;

const start = (counter?: number) => BareDevice.start(counter, true);

const menuOf = (device: BareDevice): string[] => {
  const pages = [device.texts.join('/')];
  for (let i = 0; i < 6; i++) {
    device.press(RIGHT);
    if (device.texts.join('/') === pages.at(-1)) break;
    pages.push(device.texts.join('/'));
  }
  return pages;
};

test.each([
  [undefined, ['ZBC Signer/is ready', 'Settings', 'Version/1.0.0', 'Quit/press both']],
  [7, ['ZBC Signer/is ready', 'Settings', 'Version/1.0.0', 'Security counter/7', 'Quit/press both']],
])('the idle menu ends with Quit, with a security counter of %s', async (counter, pages) => {
  const device = await start(counter);
  expect(menuOf(device)).toEqual(pages);
  for (const page of pages.slice(0, -1).reverse()) {
    device.press(LEFT);
    expect(device.texts.join('/')).toBe(page);
  }
});

test("pressing both buttons on Quit calls the platform's quit once", async () => {
  const device = await start();
  for (let i = 0; i < 3; i++) device.press(RIGHT);
  expect(device.quits).toBe(0);
  device.press(BOTH);
  expect(device.quits).toBe(1);
  expect(device.texts).toEqual(['Quit', 'press both']);
});

test('resume drops an upload, leaves no byte of it in memory, and shows the menu', async () => {
  const device = await start();
  const marked = Buffer.alloc(64, 0xa7);
  const header = Buffer.alloc(SIGN_MESSAGE_HEADER_LENGTH);
  header.writeUInt32LE(1000, 4);
  const command = (p1: number, data: Buffer) =>
    device.command(Buffer.concat([Buffer.of(0xe0, 0x07, p1, 0, data.length), data]));
  expect(command(0, header)).toBe('9000');
  expect(command(1, marked)).toBe('9000');
  device.press(RIGHT);
  device.app.resume();
  expect(device.texts).toEqual(['ZBC Signer', 'is ready']);
  expect(Buffer.from(device.memory).includes(marked.subarray(0, 16))).toBe(false);
  expect(command(1, marked)).not.toBe('9000');
});
