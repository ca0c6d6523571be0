import SharedEnvironment from '../../testkit/jest-environment.js';

const CHANGES: readonly [of: string, change: () => void, undo: () => void][] = [
  [
    'globalThis.left',
    () => Object.assign(globalThis, { left: 1 }),
    () => Reflect.deleteProperty(globalThis, 'left'),
  ],
  ['process.env.LEFT', () => Object.assign(process.env, { LEFT: '1' }), () => delete process.env.LEFT],
];

async function leftBy(change: () => void): Promise<unknown> {
  const environment = new SharedEnvironment();
  change();
  return environment.teardown().catch((error: unknown) => error);
}

test('a file that changes nothing passes', async () => {
  expect(await leftBy(() => undefined)).toBeUndefined();
});

test.each(CHANGES)('a file that leaves %s changed fails', async (name, change, undo) => {
  try {
    expect(await leftBy(change)).toEqual(new Error(`this file leaves changed for others: ${name}`));
  } finally {
    undo();
  }
});
