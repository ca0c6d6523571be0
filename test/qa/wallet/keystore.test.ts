import { restoreSeed } from '@zbc-signer/emulator';
import { accounts } from '../../../testkit/repository/vectors.js';
import { connectEmulator, openPlace, shownItems } from '../../../testkit/screen/wallet-page.js';
import { WalletScene } from './scene.js';

let scene: WalletScene;

beforeAll(async () => {
  scene = await WalletScene.launch({ device: { keystore: {} } });
});

afterAll(() => scene?.close());

test('the page asks the user to unlock a signer without a seed, and shows the account after the words are entered', async () => {
  const { emulator } = scene.server;
  const page = await scene.openTab();
  await connectEmulator(page, scene.server.api);
  await page.locator('#connect-result', { hasText: 'Unlock the signer' }).waitFor();
  expect(await page.locator('#wallet').isVisible()).toBe(false);
  restoreSeed(emulator, accounts.mnemonic);
  await connectEmulator(page, scene.server.api);
  await page.locator('#wallet').waitFor();
  await openPlace(page, 'Receive');
  await page.getByRole('button', { name: 'Confirm on the device' }).click();
  expect(await shownItems(page)).toEqual([['Address', accounts.cases[0]!.address]]);
  await emulator.approve();
  expect(scene.complaints).toEqual([]);
});
