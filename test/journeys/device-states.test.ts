import { startServer } from '../../testkit/device/device-host.js';
import { Journey, SECOND } from '../../testkit/network/journey.js';
import { runCli, startCli, untilSaid } from '../../testkit/process/cli.js';

let journey: Journey;
beforeAll(async () => {
  journey = await Journey.start();
});
afterAll(() => journey.stop());

test('a locked device has its own message and exit code', async () => {
  const locked = await startServer({ seed: null });
  const { code, stderr } = await runCli(['address', '--device', `tcp://127.0.0.1:${locked.apduPort}`]);
  await locked.close();
  expect(code).toBe(6);
  expect(stderr).toContain('the device is locked');
});

test('emulator --locked starts a locked device', async () => {
  const ports = ['--api-port', '0', '--apdu-port', 'auto', '--ledger-port', '0'];
  const emulator = startCli(['emulator', '--locked', '--json', ...ports]);
  await untilSaid(emulator, 'stdout', '\n');
  const device = `tcp://127.0.0.1:${JSON.parse(emulator.output.stdout).apdu_port}`;
  const [address, version] = await Promise.all([
    runCli(['address', '--device', device]),
    runCli(['version', '--device', device, '--json']),
  ]);
  emulator.child.kill('SIGINT');
  expect(address.code).toBe(6);
  expect(JSON.parse(version.stdout)).toMatchObject({ locked: true, anti_exfil: true });
  expect(await emulator.done).toMatchObject({ code: 0, stderr: '' });
});

test('a busy device has its own message and exit code, and keeps its review', async () => {
  const first = await journey.startReview('address', '--show');
  const { code, stderr } = await journey.run('address');
  expect(code).toBe(7);
  expect(stderr).toContain('busy');
  await journey.server.emulator.approve();
  expect((await first.done).code).toBe(0);
});

test('a refusal of the device is reported with its reason', async () => {
  const { code, stderr } = await journey.run('sign-message', 'x'.repeat(32));
  expect(code).toBe(5);
  expect(stderr).toContain('never exactly 32');
});

test.each<[string, string[]]>([
  ['SIGINT', ['send', '--to', SECOND, '--amount', '1']],
  ['SIGTERM', ['address', '--show']],
  ['SIGHUP', ['sign-message', 'hello']],
])('%s during a review ends it on the device and leaves nothing behind', async (signal, words) => {
  const cli = await journey.startReview(...words);
  cli.child.kill(signal as NodeJS.Signals);
  const { code, stdout, stderr } = await cli.done;
  expect(code).toBe(130);
  expect(stdout).toBe('');
  expect(stderr).toContain('error: interrupted');
  expect(stderr).not.toMatch(/\n\s+at /);
  // The menu must be shown again.
  expect((await journey.run('address')).code).toBe(0);
  expect(journey.server.emulator.texts()).toContain('is ready');
});
