import SharedEnvironment from '../../testkit/jest/environment.js';

const { fetch } = globalThis;
const { now } = Date;
const ignore = () => undefined;

const CHANGES: readonly [of: string, change: () => void, undo: () => void][] = [
  ['globalThis.fetch', () => (globalThis.fetch = () => fetch('data:,')), () => (globalThis.fetch = fetch)],
  ['Date.now', () => (Date.now = () => 0), () => (Date.now = now)],
  ['process.env.LEFT', () => (process.env.LEFT = '1'), () => delete process.env.LEFT],
  ['listeners of SIGHUP', () => process.on('SIGHUP', ignore), () => process.off('SIGHUP', ignore)],
];

async function leftBy(change: () => void): Promise<unknown> {
  const environment = new SharedEnvironment({ projectConfig: { globals: {} } });
  change();
  return environment.teardown().catch((error: unknown) => error);
}

test('a file that changes nothing passes', async () => {
  expect(await leftBy(() => undefined)).toBeUndefined();
});

test.each(CHANGES)('a file that does not restore %s fails', async (name, change, undo) => {
  try {
    expect(await leftBy(change)).toEqual(
      new Error(`this file leaves these modified for other files: ${name}`),
    );
  } finally {
    undo();
  }
});
