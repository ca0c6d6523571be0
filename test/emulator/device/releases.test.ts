import { Emulator } from '@zbc-signer/emulator';
import { readFirmware, readRelease, releasedVersions } from '@zbc-signer/emulator/trace';
import { send, signTransaction } from '../../../testkit/device/apdu.js';
import { CONFIRM_ADDRESS } from '../../../testkit/device/confirmed-account.js';
import { transactions } from '../../../testkit/repository/vectors.js';

const SHIPPED = 'the shipped firmware';
/** Versions whose settings have no check value: after an update, the device reports the defaults. */
const WITHOUT_CHECK_VALUE = ['1.0.0'];

/** The page before the settings, and the page of the first setting. */
function readSettings(emulator: Emulator): string[][] {
  return (['right', 'both'] as const).map(key => {
    emulator.press(key);
    return emulator.texts();
  });
}

describe.each([...releasedVersions(), SHIPPED])('an update from %s', version => {
  let old: Emulator;

  beforeEach(async () => {
    const wasm = version === SHIPPED ? await readFirmware() : await readRelease(version);
    const module = await WebAssembly.compile(new Uint8Array(wasm));
    old = await Emulator.start({ module });
  });
  afterEach(() => old.stop());

  test('keeps the settings, or shows that they were reset', async () => {
    for (const key of ['right', 'both', 'both'] as const) old.press(key);
    expect(old.texts()).toEqual(['Unknown chains', 'refused']);
    const updated = await Emulator.start({ settings: old.settings });
    expect(readSettings(updated)).toEqual(
      WITHOUT_CHECK_VALUE.includes(version)
        ? [
            ['Settings', 'reset to defaults'],
            ['Unknown chains', 'allowed'],
          ]
        : [['Settings'], ['Unknown chains', 'refused']],
    );
    await updated.stop();
  });

  test('gives the same address, screens and signatures', async () => {
    const updated = await Emulator.start();
    const decide = async (emulator: Emulator, work: Promise<unknown>) => {
      const items = await emulator.review();
      await emulator.approve();
      return [items, await work];
    };
    const answers = async (emulator: Emulator) => {
      const all = [await decide(emulator, emulator.exchange(CONFIRM_ADDRESS))];
      for (const vector of transactions.cases) {
        const signed = send(apdu => emulator.exchange(apdu), signTransaction(vector));
        all.push(await decide(emulator, signed));
      }
      return all;
    };
    expect(await answers(updated)).toEqual(await answers(old));
    await updated.stop();
  });
});
