import { BareDevice } from '../../testkit/device/bare-device.js';

const LEFT = 1;
const RIGHT = 2;
const BOTH = 3;

async function pagesOf(counter: number | undefined, presses: readonly number[]): Promise<string[][]> {
  const device = await BareDevice.start(counter);
  const pages = [device.texts];
  for (const button of presses) {
    device.press(button);
    pages.push(device.texts);
  }
  return pages;
}

const READY = ['ZBC Signer', 'is ready'];
const VERSION = ['Version', '1.0.0'];

describe('the security counter', () => {
  test('is the page after the version, and the menu does not wrap there', async () => {
    const counter = ['Security counter', '3'];
    expect(await pagesOf(3, [RIGHT, RIGHT, RIGHT, RIGHT, BOTH, LEFT, LEFT, LEFT])).toEqual([
      READY,
      ['Settings'],
      VERSION,
      counter,
      counter,
      counter,
      VERSION,
      ['Settings'],
      READY,
    ]);
  });

  test.each([1, 9, 10, 2_147_483_648, 4_294_967_295])('is shown with all its digits: %d', async counter => {
    const pages = await pagesOf(counter, [RIGHT, RIGHT, RIGHT]);
    expect(pages.at(-1)).toEqual(['Security counter', String(counter)]);
  });

  test.each([undefined, 0])('has no page if the platform reports no counter: %p', async counter => {
    expect((await pagesOf(counter, [RIGHT, RIGHT, RIGHT])).slice(2)).toEqual([VERSION, VERSION]);
  });

  test('does not change the settings menu', async () => {
    const pages = await pagesOf(7, [RIGHT, BOTH, LEFT, RIGHT, RIGHT, RIGHT, RIGHT, BOTH]);
    expect(pages.slice(2)).toEqual([
      ['Unknown chains', 'allowed'],
      ['Unknown chains', 'allowed'],
      ['Details', 'hidden'],
      ['Contacts only', 'No'],
      ['Back'],
      ['Back'],
      READY,
    ]);
  });
});
