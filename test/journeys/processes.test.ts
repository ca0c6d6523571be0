import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseRecording, replay } from '../../emulator/src/index.js';
import { runCli, startCli, untilSaid } from '../support/cli.js';
import { accounts } from '../support/vectors.js';

const FACES = ['--api-port', 'auto', '--apdu-port', 'auto', '--ledger-port', '0'];

test('demo runs the whole journey in one process and proves it', async () => {
  const { code, stdout, stderr } = await runCli(['demo', '--json']);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'confirmed',
    sender: accounts.cases[0]!.address,
    recipient: accounts.cases[1]!.address,
    amount: 150_000_000,
    recipient_balance: 150_000_000,
  });
});

test('demo shows a person every screen that it approves', async () => {
  const { code, stderr } = await runCli(['demo']);
  expect(code).toBe(0);
  for (const screen of [
    'Network: ZBC Devnet',
    'Total leaving: 1.525 ZBC',
    'Sign transaction: approve: press both',
  ]) {
    expect(stderr).toContain(`[screen] ${screen}`);
  }
});

test('emulator says when it is ready, warns of the test mnemonic, serves, and stops cleanly', async () => {
  const cli = startCli(['emulator', '--json', ...FACES]);
  await untilSaid(cli, 'stdout', '\n');
  const { ready, api, apdu_port, ledger } = JSON.parse(cli.output.stdout);
  expect({ ready, ledger }).toEqual({ ready: true, ledger: '' });
  expect(cli.output.stderr).toContain('WARNING: this is the well-known test mnemonic');
  const asked = await Promise.all([
    runCli(['address', '--device', api]),
    runCli(['address', '--device', `tcp://127.0.0.1:${apdu_port}`]),
  ]);
  expect(asked.map(({ stdout }) => stdout.trim())).toEqual(Array(2).fill(accounts.cases[0]!.address));
  cli.child.kill('SIGINT');
  expect((await cli.done).code).toBe(0);
});

test('emulator records its session for a replay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'));
  const file = join(folder, 'session.json');
  const cli = startCli(['emulator', '--json', '--record', file, ...FACES]);
  await untilSaid(cli, 'stdout', '\n');
  await runCli(['address', '--device', JSON.parse(cli.output.stdout).api]);
  cli.child.kill('SIGINT');
  await cli.done;
  const text = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
  expect(parseRecording(text).steps.length).toBeGreaterThan(0);
  expect(text).toContain(Buffer.from(accounts.cases[0]!.address).toString('hex'));
  await replay(text);
});

test('emulator takes its seed from the environment or stdin, which others cannot read', async () => {
  const seed = `hex:${'07'.repeat(64)}`;
  const [env, stdin] = [
    startCli(['emulator', '--json', ...FACES], { env: { ZBC_SIGNER_EMULATOR_SEED: seed } }),
    startCli(['emulator', '--json', '-s', '-', ...FACES], { stdin: `${seed}\n` }),
  ];
  await Promise.all([untilSaid(env, 'stdout', '\n'), untilSaid(stdin, 'stdout', '\n')]);
  const addresses = await Promise.all(
    [env, stdin].map(cli => runCli(['address', '--device', JSON.parse(cli.output.stdout).api])),
  );
  expect(addresses[0]!.stdout).toMatch(/^ZBC_/);
  expect(addresses[0]!.stdout).toBe(addresses[1]!.stdout);
  expect(addresses[0]!.stdout.trim()).not.toBe(accounts.cases[0]!.address);
  for (const cli of [env, stdin]) {
    expect(cli.output.stderr).not.toContain('07'.repeat(8));
    cli.child.kill('SIGTERM');
    expect((await cli.done).code).toBe(0);
  }
});

test('devnet says when it is ready, keeps its chain in a directory, and stops cleanly', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'zbc-devnet-test-'));
  const data = join(directory, 'chain');
  const cli = startCli(['devnet', '--port', '0', '--data', data, '--block-time', '0.1', '--json']);
  await untilSaid(cli, 'stdout', '\n');
  const { ready, url, genesis_hash } = JSON.parse(cli.output.stdout);
  expect(ready).toBe(true);
  const info = await (await fetch(`${url}/api/v1/node/info`)).json();
  // An archival node answers, in upper case.
  expect(info).toMatchObject({ genesis_hash: genesis_hash.toUpperCase() });
  const port = new URL(url).port;
  const second = await runCli(['devnet', '--port', port]);
  expect(second.code).toBe(2);
  expect(second.stderr).toContain(`port ${port} is in use`);
  cli.child.kill('SIGINT');
  expect((await cli.done).code).toBe(0);
  expect(existsSync(data)).toBe(true);
  rmSync(directory, { recursive: true });
});
