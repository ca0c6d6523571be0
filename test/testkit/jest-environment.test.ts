import SharedEnvironment from '../../testkit/jest-environment.js';

test('what a file replaces of its process is put back after it', async () => {
  const { console, process } = globalThis;
  const { exit } = process;
  const { PATH } = process.env;
  const environment = new SharedEnvironment();
  globalThis.console = Object.create(console) as Console;
  process.exit = () => exit(1);
  process.env.PATH = '/nowhere';
  process.env.ZBC_SIGNER_ADDED = 'by a test';
  await environment.teardown();
  expect(globalThis.console === console && process.exit === exit).toBe(true);
  expect(process.env.PATH).toBe(PATH);
  expect(process.env.ZBC_SIGNER_ADDED).toBeUndefined();
});

test('what Node makes is an instance of the global classes, which Jest would replace', () => {
  expect(structuredClone([])).toBeInstanceOf(Array);
  expect(new SharedEnvironment().global).toBe(globalThis);
});
