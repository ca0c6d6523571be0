import { type Devnet, startDevnet } from '@zbc-signer/devnet';
import { Project } from '../../testkit/packages/project.js';
import { samplesOf } from '../../testkit/packages/samples.js';
import { runToEnd } from '../../testkit/process/run-to-end.js';
import { findChromium } from '../../tools/chromium.js';

const [SAMPLE] = samplesOf('docs/TESTING.md').filter(({ source }) => source.startsWith('// wallet.spec.ts'));

let project: Project;
let devnet: Devnet;

beforeAll(async () => {
  project = new Project();
  // Some packages need a later Node than the one that may run this.
  project.install(['protocol', 'chain', 'host', 'emulator'], ['@playwright/test'], { strict: false });
  devnet = await startDevnet({ blockTimeMs: 400, namedChain: true });
});
afterAll(async () => {
  await devnet?.stop();
  project.remove();
});

/** Runs the test of a file in a Chromium with these switches. */
function run(source: string, ...switches: string[]): Promise<{ failed: boolean; output: string }> {
  const launchOptions = { executablePath: findChromium(), args: ['--no-sandbox', ...switches] };
  const use = { baseURL: devnet.url, launchOptions };
  const config = { testMatch: 'wallet.spec.ts', timeout: 100_000, reporter: 'line', use };
  project.write('playwright.config.ts', `export default ${JSON.stringify(config)};`);
  project.write('wallet.spec.ts', source);
  const words = ['node_modules/@playwright/test/cli.js', 'test'];
  return runToEnd(process.execPath, words, project.directory, { NO_COLOR: '1' });
}

test.each([[], ['--disable-blink-features=WebHID']])(
  'the sample of docs/TESTING.md pays in Playwright (Chromium %s)',
  async (...switches) => {
    const { failed, output } = await run(SAMPLE!.source, ...switches);
    expect([failed, output]).toEqual([false, expect.stringMatching(/1 passed/)]);
  },
);

test('a test in Playwright that leaves a review of its page open fails, with the screen and the command', async () => {
  const [left] = SAMPLE!.source.split('  await emulator.approve');
  const { failed, output } = await run(`${left}});`);
  expect(failed).toBe(true);
  expect(output).toMatch(
    /a command of a client \(APDU e0.*of the test "wallet\.spec\.ts: sends .*had not ended/,
  );
  expect(output).toMatch(/Sign transaction\s+approve: press both/);
  expect(output).toMatch(/trace: \S+\.trace/);
});
