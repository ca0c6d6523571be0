import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { createSeed, type Emulator } from '@zbc-signer/emulator';
import { Signer } from '@zbc-signer/host';
import { LocalVault } from '#emulator/page/local-vault.js';
import { root } from '../../../testkit/repository/repository.js';
import { accounts } from '../../../testkit/repository/vectors.js';

const ROLLS = '25361446123564125361462153614532165412365143265143';

// As the build embeds them.
for (const name of ['zbc-signer', 'zbc-keystore']) {
  const path = join(root, `emulator/dist/${name}.wasm`);
  jest.unstable_mockModule(path, () => ({ default: gzipSync(readFileSync(path)) }));
}
const { PageSigner } = await import('#emulator/page/page-signer.js');

const hostOf = (device: { transport(): ReturnType<Emulator['transport']> }) => new Signer(device.transport());

test('a device in a page has the seed of the test words, also after another has been stopped', async () => {
  for (let round = 0; round < 2; round += 1) {
    const device = await PageSigner.start();
    const confirmed = hostOf(device).getPublicKey(0, { confirm: true });
    await device.expectReview([['Address', accounts.cases[0]!.address]]);
    await device.approve();
    expect((await confirmed).address).toBe(accounts.cases[0]!.address);
    device.stop();
  }
});

test('a device with a keystore has no seed at first, and makes another each time', async () => {
  const words = [];
  for (let round = 0; round < 2; round += 1) {
    const device = await PageSigner.start({ keystore: {} });
    await expect(hostOf(device).getPublicKey(0)).rejects.toMatchObject({ code: 'LOCKED' });
    words.push(createSeed(device, { record: ROLLS }).mnemonic);
    device.stop();
  }
  expect(words[0]).not.toBe(words[1]);
});

test('a seed with a PIN is kept in the vault', async () => {
  let kept: string | undefined;
  const localStorage = {
    getItem: () => kept,
    setItem(_name: string, text: string) {
      kept = text;
    },
  };
  Object.defineProperty(globalThis, 'localStorage', { value: localStorage, configurable: true });
  const device = await PageSigner.start({ keystore: { vault: new LocalVault() } });
  createSeed(device, { record: ROLLS, pin: '246819' });
  expect(JSON.parse(kept ?? '{}').record).toMatch(/^[0-9a-f]{164}$/);
  device.stop();
});
