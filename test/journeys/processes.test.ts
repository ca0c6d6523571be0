import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTrace, replay } from '@zbc-signer/emulator';
import { type CliProcess, runCli, runCommand, startCli, untilSaid } from '../../testkit/process/cli.js';
import { accounts } from '../../testkit/repository/vectors.js';

const PORTS = ['--api-port', 'auto', '--apdu-port', 'auto', '--ledger-port', '0'];

test('demo makes a payment in one process and reports the confirmed balance of the recipient', async () => {
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

test('demo shows every screen that it approves', async () => {
  const { code, stderr } = await runCommand(['demo']);
  expect(code).toBe(0);
  for (const screen of [
    'Network: ZBC Devnet',
    'Total leaving: 1.525 ZBC',
    'Sign transaction: approve: press both',
  ]) {
    expect(stderr).toContain(`[screen] ${screen}`);
  }
});

test('emulator reports when it is ready, warns of the test mnemonic, answers commands, and stops cleanly', async () => {
  const cli = startCli(['emulator', '--json', ...PORTS]);
  await untilSaid(cli, 'stdout', '\n');
  const { ready, api, apdu_port, ledger } = JSON.parse(cli.output.stdout);
  expect({ ready, ledger }).toEqual({ ready: true, ledger: '' });
  expect(cli.output.stderr).toContain('WARNING: this is the well-known test mnemonic');
  const asked = await Promise.all([
    runCommand(['address', '--device', api]),
    runCommand(['address', '--device', `tcp://127.0.0.1:${apdu_port}`]),
  ]);
  expect(asked.map(({ stdout }) => stdout.trim())).toEqual(Array(2).fill(accounts.cases[0]!.address));
  cli.child.kill('SIGINT');
  expect((await cli.done).code).toBe(0);
});

test('emulator records its session for a replay', async () => {
  const traceDirectory = mkdtempSync(join(tmpdir(), 'trace-'));
  const file = join(traceDirectory, 'session.json');
  const cli = startCli(['emulator', '--json', '--record', file, ...PORTS]);
  await untilSaid(cli, 'stdout', '\n');
  await runCommand(['address', '--device', JSON.parse(cli.output.stdout).api]);
  cli.child.kill('SIGINT');
  await cli.done;
  const text = readFileSync(file, 'utf8');
  rmSync(traceDirectory, { recursive: true });
  expect(parseTrace(text).steps.length).toBeGreaterThan(0);
  expect(text).toContain(Buffer.from(accounts.cases[0]!.address).toString('hex'));
  await replay(text);
});

test('emulator writes which screens were seen when it ends, and emulator coverage compares them', async () => {
  const coverage = mkdtempSync(join(tmpdir(), 'coverage-'));
  const cli = startCli(['emulator', '--json', '--coverage', coverage, ...PORTS]);
  await untilSaid(cli, 'stdout', '\n');
  await runCommand(['address', '--device', JSON.parse(cli.output.stdout).api]);
  cli.child.kill('SIGINT');
  expect((await cli.done).code).toBe(0);
  const written = JSON.parse(readFileSync(join(coverage, 'screens.json'), 'utf8'));
  expect(written.tests).toEqual([`session 1 of process ${cli.child.pid}`]);
  const ask = (...words: string[]) => runCommand(['emulator', 'coverage', coverage, '--json', ...words]);
  expect(JSON.parse((await ask()).stdout).things.reached).toBe(2);
  // A baseline that saw one more title must fail.
  const baseline = join(coverage, 'baseline.json');
  const less = { ...written, unseen: written.unseen.filter((name: string) => name !== 'title: Amount') };
  writeFileSync(baseline, JSON.stringify(less));
  const kept = await ask('--baseline', join(coverage, 'screens.json'));
  const lost = await ask('--baseline', baseline);
  rmSync(coverage, { recursive: true });
  expect([kept.code, lost.code]).toEqual([0, 16]);
  expect(JSON.parse(lost.stdout).lower).toEqual([expect.stringContaining('title: Amount')]);
});

test('emulator reads its seed from the environment or stdin, and does not print it', async () => {
  const seed = `hex:${'07'.repeat(64)}`;
  const [env, stdin] = [
    startCli(['emulator', '--json', ...PORTS], { env: { ZBC_SIGNER_EMULATOR_SEED: seed } }),
    startCli(['emulator', '--json', '-s', '-', ...PORTS], { stdin: `${seed}\n` }),
  ];
  await Promise.all([untilSaid(env, 'stdout', '\n'), untilSaid(stdin, 'stdout', '\n')]);
  const addresses = await Promise.all(
    [env, stdin].map(cli => runCommand(['address', '--device', JSON.parse(cli.output.stdout).api])),
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

describe('devnet', () => {
  let directory: string;
  let started: CliProcess[];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'zbc-devnet-test-'));
    started = [];
  });
  afterEach(async () => {
    for (const { child, done } of started) {
      // The temporary directory must be deleted too.
      child.kill('SIGTERM');
      await done;
    }
    rmSync(directory, { recursive: true });
  });

  async function start(...words: string[]): Promise<{ cli: CliProcess; ready: Record<string, string> }> {
    const cli = startCli([...words, '--json'], { env: { TMPDIR: directory } });
    started.push(cli);
    await untilSaid(cli, 'stdout', '\n');
    return { cli, ready: JSON.parse(cli.output.stdout) };
  }

  async function genesisAt(url: string | undefined): Promise<string> {
    const answer = await fetch(`${url}/api/v1/node/info`);
    return ((await answer.json()) as { genesis_hash: string }).genesis_hash;
  }

  test('reports when it is ready, keeps its chain in a directory, and stops cleanly', async () => {
    const data = join(directory, 'chain');
    const { cli, ready } = await start('devnet', '--port', '0', '--data', data, '--block-time', '0.1');
    expect(ready).toMatchObject({ ready: true, genesis_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const { url, node_url, archival_url, genesis_hash } = ready as Record<string, string>;
    expect(await genesisAt(node_url)).toBe(genesis_hash);
    expect(await genesisAt(archival_url)).toBe(genesis_hash!.toUpperCase());
    expect(await genesisAt(url)).toBe(genesis_hash!.toUpperCase());
    expect(new Set([url, node_url, archival_url]).size).toBe(3);
    cli.child.kill('SIGINT');
    expect(await cli.done).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(data).sort()).toEqual(['archival', 'gateway', 'node']);
  });

  test('reports any port that is in use, and leaves no directory behind', async () => {
    const { cli, ready } = await start('devnet', '--port', '0');
    const own = readdirSync(directory);
    expect(own).toEqual([expect.stringMatching(/^zbc-devnet-/)]);
    const portOf = (name: string) => new URL(ready[name]!).port;
    const taken: [option: string, port: string][] = [
      ['--port', portOf('url')],
      ['--node-port', portOf('node_url')],
      ['--archival-port', portOf('archival_url')],
    ];
    const free = ['--port', '0', '--node-port', '0', '--archival-port', '0'];
    for (const [option, port] of taken) {
      const words = free.map((word, at) => (free[at - 1] === option ? port : word));
      const { code, stderr } = await runCommand(['devnet', ...words], { env: { TMPDIR: directory } });
      expect([code, stderr]).toEqual([2, expect.stringContaining(`port ${port} is in use`)]);
      expect(stderr).toContain(`Choose another port with ${option}`);
    }
    expect(readdirSync(directory)).toEqual(own);
    cli.child.kill('SIGTERM');
    await cli.done;
    expect(readdirSync(directory)).toEqual([]);
  });

  test('keeps the key of its admin panel in a file that only its owner can read, and deletes the file when it ends', async () => {
    const file = join(directory, 'key');
    const { cli, ready } = await start('devnet', '--port', '0', '--admin-key-file', file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const key = readFileSync(file, 'utf8').trim();
    const refresh = (authorization: string) =>
      fetch(`${ready.url}/gateway/allowlist/refresh`, { method: 'POST', headers: { authorization } });
    expect((await refresh(`Bearer ${key}`)).status).toBe(200);
    expect((await refresh('Bearer another')).status).toBe(401);
    expect((await runCommand(['devnet', '--port', '0', '--admin-key-file', file])).stderr).toContain(
      'already exists',
    );
    cli.child.kill('SIGTERM');
    expect((await cli.done).code).toBe(0);
    expect(cli.output.stdout + cli.output.stderr).not.toContain(key);
    expect(existsSync(file)).toBe(false);
  });

  test('leaves nothing behind when its terminal is closed, or nobody reads its output', async () => {
    const file = join(directory, 'key');
    const { cli } = await start('devnet', '--port', '0', '--admin-key-file', file);
    expect(readdirSync(directory)).toHaveLength(2);
    // Both the shell and the kernel send this signal.
    cli.child.kill('SIGHUP');
    cli.child.kill('SIGHUP');
    expect((await cli.done).code).toBe(0);
    expect(readdirSync(directory)).toEqual([]);
    const unread = startCli(['devnet', '--port', '0', '--admin-key-file', file], {
      env: { TMPDIR: directory },
    });
    started.push(unread);
    unread.child.stdout!.destroy();
    expect(await unread.done).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('can consist of processes: node run starts a full node, or a node of either role that follows it', async () => {
    const full = await start('node', 'run', '--port', '0', '--block-time', '0.1');
    const { url } = full.ready as Record<string, string>;
    const history = await start('node', 'run', '--archival', '--follow', url!, '--port', '0');
    const second = await start('node', 'run', '--follow', url!, '--port', '0');
    expect([full, history, second].map(({ ready }) => ready.role)).toEqual(['full', 'archival', 'full']);
    expect(second.ready.genesis_hash).toBe(full.ready.genesis_hash);
    const body = JSON.stringify({ address: accounts.cases[0]!.address });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${url}/faucet`, { method: 'POST', headers, body })).status).toBe(200);
    const account = `${history.ready.url}/api/v1/accounts/${accounts.cases[0]!.address}`;
    let answer = await fetch(account);
    while (answer.status === 404) answer = await fetch(account);
    expect(await answer.json()).toMatchObject({ balance: 10_000_000_000 });
    for (const { cli } of [second, history, full]) {
      cli.child.kill('SIGINT');
      expect(await cli.done).toMatchObject({ code: 0, stderr: '' });
    }
  });

  test.each([
    [['--follow', 'http://127.0.0.1:1', '--fee-scale', '2'], '--fee-scale is for the first full node'],
    [['--follow', 'http://127.0.0.1:1', '--named-chain'], '--named-chain is for the first full node'],
    [['--archival', '--block-time', '1'], '--block-time is for the first full node'],
    [['--archival', '--follow', 'http://name:secret@127.0.0.1'], '--follow must be the URL of a node'],
    [['--archival', '--follow', 'ftp://127.0.0.1'], '--follow must be the URL of a node'],
    [['--port', '70000'], '--port must be'],
  ])('node run refuses %j', async (words, reason) => {
    const { code, stderr } = await runCommand(['node', 'run', ...words]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect(stderr).not.toContain('secret');
  });
});
