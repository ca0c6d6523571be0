import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Button, Emulator, Vault } from '@zbc-signer/emulator';
import { allChecks, type DeviceControls, readCases, runChecks } from '@zbc-signer/emulator/conformance';

const cases = readCases();
const { mnemonic } = cases;
const groups = allChecks(cases).filter(({ name }) => ['identity', 'vault'].includes(name));
const NOISE = randomBytes(1 << 18);
const [places, counts, , erases] = groups.at(-1)!.checks.map(({ name }) => name);
let emulator: Emulator | undefined;
afterEach(() => emulator?.stop());

/** The vault checks that a board with this vault fails. */
async function failuresOf(
  vault: Vault,
  { noise = NOISE, onCut }: { noise?: Uint8Array; onCut?: () => void } = {},
): Promise<(string | undefined)[]> {
  const board = await Emulator.start({ keystore: { noise, vault } });
  emulator = board;
  const controls: DeviceControls = {
    awaitFrame,
    async cutPower() {
      onCut?.();
      board.restart();
      return true;
    },
  };
  const results = await runChecks({ name: 'model', connect: () => board.transport(), controls }, groups, {
    mnemonic,
  });
  expect(results.filter(({ group, outcome }) => group === 'identity' && outcome !== 'passed')).toEqual([]);
  return results.filter(({ outcome }) => outcome !== 'passed').map(({ name }) => name);

  async function awaitFrame(press?: Button): Promise<Uint8Array> {
    if (press) board.press(press);
    await setImmediate();
    return board.frame();
  }
}

test('a vault is detected by its request for a PIN, tested, and left without a seed', async () => {
  expect(await failuresOf(new Vault())).toEqual([]);
  expect(emulator!.texts()).toEqual(['ZBC Signer', 'has no seed']);
});

test('a vault passes if a power cut while it stores a seed leaves it without a seed', async () => {
  const vault = new Vault();
  let writes = 0;
  vault.write = (...args) => {
    writes += 1;
    return Vault.prototype.write.apply(vault, args);
  };
  const onCut = () => {
    if (writes !== 2) return;
    writes = 0;
    vault.erase();
  };
  expect(await failuresOf(vault, { onCut })).toEqual([]);
});

test.each<[string, () => [Vault, { noise?: Uint8Array; onCut?: () => void }?], string | undefined]>([
  [
    'noise is the same for each PIN',
    () => [new Vault(), { noise: Buffer.alloc(1 << 18, NOISE.subarray(0, 1024)) }],
    places,
  ],
  [
    'count of PIN attempts is lost in a power cut',
    () => {
      const vault = new Vault();
      let count = 0;
      Object.assign(vault, {
        beginAttempt() {
          count += 1;
          return Vault.prototype.beginAttempt.call(vault);
        },
        readCount: (out: Uint8Array) => out.set([count, 0, 0, 0]) === undefined,
        clearAttempts: () => (count = 0) === 0,
      });
      return [vault, { onCut: () => void (count = 0) }];
    },
    counts,
  ],
  [
    'count of PIN attempts is not cleared',
    () => [Object.assign(new Vault(), { clearAttempts: () => true })],
    counts,
  ],
  ['erasure leaves the record', () => [Object.assign(new Vault(), { erase: () => true })], erases],
])('a board fails if its %s', async (_, open, check) => {
  const [vault, options] = open();
  expect(await failuresOf(vault, options)).toContain(check);
});
