import { Emulator } from '@zbc-signer/emulator';
import { SharedSigner, WebDevices } from '@zbc-signer/web';
import { ModelChain } from '../../testkit/chain/model-chain.js';
import { until } from '../../testkit/time/until.js';
import { ModelBrowser, type ModelTab } from '../../testkit/wallet/model-browser.js';

/** Longer than a tab may be silent before it loses the device. */
const SILENCE_MS = 2500;

let emulator: Emulator;
let profile: ModelBrowser;
beforeEach(async () => {
  emulator = await Emulator.start();
  profile = new ModelBrowser(emulator, new ModelChain(), () => 0);
});
afterEach(() => emulator.stop());

async function open(): Promise<{ tab: ModelTab; signer: SharedSigner }> {
  const tab = profile.openTab();
  const { browser } = tab;
  return { tab, signer: new SharedSigner((await new WebDevices({ browser }).list())[0]!, browser) };
}

const confirm = (signer: SharedSigner, review = 'Compare the address') =>
  signer.run(device => device.getPublicKey(0, { confirm: true }), { review });
const version = (signer: SharedSigner) =>
  signer
    .run(device => device.getVersion())
    .then(
      () => 'done',
      ({ code }) => code,
    );

test('a review ends in its own tab, whichever tab asks for the device meanwhile, and then that tab has the device', async () => {
  const [one, other] = [(await open()).signer, (await open()).signer];
  const review = confirm(one);
  await emulator.waitForReview();
  expect(await version(other)).toBe('DEVICE_HELD');
  let isTaken = false;
  const taking = other.useHere().then(() => {
    isTaken = true;
  });
  await new Promise(resolve => setTimeout(resolve, SILENCE_MS));
  expect([emulator.reviewing, isTaken, one.state]).toEqual([true, false, 'open']);
  const later = version(one);
  await emulator.approve();
  await review;
  expect(await later).toBe('DEVICE_HELD');
  await taking;
  expect([one.state, other.state, await version(other)]).toEqual(['elsewhere', 'open', 'done']);
});

test('a tab that is frozen loses the device', async () => {
  const [one, other] = [await open(), await open()];
  expect(await version(one.signer)).toBe('done');
  one.tab.hear = () => undefined;
  await other.signer.useHere();
  expect(await version(other.signer)).toBe('done');
});

test('pieces of work run one after another', async () => {
  const { signer } = await open();
  const order: string[] = [];
  const first = signer.run(async () => {
    order.push('begins');
    await new Promise(resolve => setTimeout(resolve, 20));
    order.push('ends');
  });
  await Promise.all([first, signer.run(async () => void order.push('next'))]);
  expect(order).toEqual(['begins', 'ends', 'next']);
});

test('a review whose tab is gone is known to the next tab, until that tab has told the user', async () => {
  const { tab, signer } = await open();
  confirm(signer, 'Send 5 ZBC').catch(() => undefined);
  await emulator.waitForReview();
  tab.close();
  await until(() => profile.tabs.size === 0);
  const next = (await open()).signer;
  expect(next.unfinishedReview).toBeUndefined();
  await next.useHere();
  expect(next.unfinishedReview).toMatchObject({ title: 'Send 5 ZBC' });
  next.forgetUnfinishedReview();
  expect(next.unfinishedReview).toBeUndefined();
  await emulator.reject();
});

test('a signer that is closed is not used again', async () => {
  const { signer } = await open();
  await signer.close();
  expect(await version(signer)).toBe('TRANSPORT_FAILED');
});
