import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FIRST, Journey, SECOND } from '../../testkit/network/journey.js';
import { runCommand } from '../../testkit/process/cli.js';

/** An address without a listener. */
const NOWHERE = 'http://127.0.0.1:1';

let journey: Journey;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'offline-'));
  journey = await Journey.start();
});
afterAll(async () => {
  await journey.stop();
  rmSync(directory, { recursive: true });
});

/** Runs a command with the gateway, but without a device. */
const online = (...words: string[]) =>
  runCommand(words, { env: { ZBC_SIGNER_API: journey.devnet.url, ZBC_SIGNER_DEVICE: NOWHERE } });

/** Signs with the device, but without a gateway. */
async function sign(file: string, decision: 'approve' | 'reject' = 'approve', ...options: string[]) {
  const env = { ZBC_SIGNER_DEVICE: journey.server.api, ZBC_SIGNER_API: NOWHERE, XDG_STATE_HOME: directory };
  const done = runCommand(['tx', 'sign', file, ...options], { env });
  const ended = done.then(({ stdout, stderr }) => {
    throw new Error(`ended without a review: ${stdout}${stderr}`);
  });
  await Promise.race([journey.server.emulator.waitForReview(), ended]);
  ended.catch(() => undefined);
  const review = await journey.server.emulator.review();
  await journey.server.emulator[decision]();
  return { ...(await done), review };
}

function write(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

async function build(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await online('tx', 'build', '--from', FIRST, ...words);
  expect([code, stdout.split('\n').length]).toEqual([0, 2]);
  expect(stderr).not.toContain('error');
  return write('built.json', stdout);
}

test('a payment is built online, signed without a network, and can be submitted only once', async () => {
  const before = await journey.gateway.account(SECOND);
  const built = await build('--to', SECOND, '--amount', '1.25', '--message', 'offline');
  const { code, stdout, stderr, review } = await sign(built);
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ state: 'signed', sent: 'no' })]);
  expect(review).toContainEqual(['Amount', '1.25 ZBC']);
  for (const [title, value] of review) expect(stderr).toContain(`${title!.padEnd(13)}  ${value}`);
  const signed = write('signed.json', stdout);
  const submitted = await online('tx', 'submit', signed, '--json');
  expect([submitted.code, JSON.parse(submitted.stdout)]).toEqual([
    0,
    expect.objectContaining({ status: 'confirmed', amount: 125_000_000, sender: FIRST }),
  ]);
  const again = await online('tx', 'submit', signed, '--json');
  expect([again.code, JSON.parse(again.stdout)]).toEqual([
    0,
    expect.objectContaining({ status: 'confirmed', duplicate: true }),
  ]);
  expect(JSON.parse((await online('payments', 'list', '--json')).stdout)).toEqual({ payments: [] });
  const after = await journey.gateway.account(SECOND);
  expect(after!.balance - before!.balance).toBe(125_000_000n);
});

async function send(...words: string[]) {
  const signed = await sign(await build(...words));
  const { code, stdout } = await runCommand(['tx', 'submit', '--json'], {
    stdin: signed.stdout,
    env: { ZBC_SIGNER_API: journey.devnet.url },
  });
  expect(code).toBe(0);
  return { review: signed.review, sent: JSON.parse(stdout) };
}

test('a token transfer is built, signed and submitted the same way', async () => {
  const { review, sent } = await send('--token', '1', '--to', SECOND, '--amount', '0.5');
  expect(review).toContainEqual(['As reported by the app', '0.5 AMBER']);
  expect(sent).toMatchObject({ token_id: '1', amount: 50_000_000, status: 'confirmed' });
});

test.each(['approve', 'reject'])(
  'the decision to %s an escrow is built, signed and submitted the same way',
  async decision => {
    const escrow = ['--escrow-approver', FIRST, '--escrow-timeout', '1h'];
    const { sent } = await send('--to', SECOND, '--amount', '2', ...escrow);
    const decided = await send(`--${decision}`, sent.transaction_hash);
    expect(decided.review).toContainEqual(['Escrow decision', decision.toUpperCase()]);
    expect(decided.sent).toMatchObject({ approval: decision, status: 'confirmed' });
  },
);

test('tx sign says what the device should show only if it can show it, and whether the signature was checked', async () => {
  const built = await build('--to', SECOND, '--amount', '1');
  const signing = (device: string, ...options: string[]) =>
    runCommand(['tx', 'sign', built, '--device', device, ...options], { env: { XDG_STATE_HOME: directory } });
  const away = await signing(NOWHERE);
  expect((await sign(built)).stderr).toContain('was checked');
  const other = await signing(journey.server.api, '--anti-exfil', 'off');
  const refusals = [away, other].map(({ code, stderr }) => [code, stderr.includes('should show')]);
  expect(refusals).toEqual([
    [3, false],
    [5, false],
  ]);
  const unchecked = await sign(
    await build('--to', SECOND, '--amount', '1.5'),
    'approve',
    '--anti-exfil',
    'off',
  );
  expect(unchecked.stderr).toContain('was not checked');
});

test('a rejection, a fee limit and another chain end tx sign with the same exit codes as send', async () => {
  const built = await build('--to', SECOND, '--amount', '1');
  const rejected = await sign(built, 'reject');
  expect([rejected.code, rejected.stdout]).toEqual([4, '']);
  const device = ['--device', journey.server.api];
  const [fee, chain] = await Promise.all([
    runCommand(['tx', 'sign', built, '--max-fee', '0.001', ...device]),
    runCommand(['tx', 'sign', built, '--genesis', '11'.repeat(32), ...device]),
  ]);
  expect([fee.code, fee.stderr]).toEqual([2, expect.stringContaining('above the limit of 0.001 ZBC')]);
  expect(chain.code).toBe(10);
});

test.each<[string, (document: string) => string]>([
  ['invalid JSON', () => '{'],
  ['an altered amount', document => document.replace('4859570700000000', '4859570800000000')],
  ['an unknown field', document => document.replace('{', '{"x":1,')],
  ['a review of another payment', document => document.replace('1.23165 ZBC', '2.23165 ZBC')],
])('a document with %s is not signed', async (_name, alter) => {
  // The bytes of 123,165,000 atomic units are 48595707 00000000.
  const built = await build('--to', SECOND, '--amount', '1.23165');
  const text = (await import('node:fs')).readFileSync(built, 'utf8');
  const altered = alter(text);
  expect(altered).not.toBe(text);
  const { code, stdout } = await runCommand(['tx', 'sign', '--json', '--device', NOWHERE], {
    stdin: altered,
  });
  expect([code, JSON.parse(stdout).error.code]).toEqual([2, 'INVALID_DOCUMENT']);
});

test('an unsigned document is not submitted, and a signed document is not signed again', async () => {
  const built = await build('--to', SECOND, '--amount', '1');
  const unsigned = await online('tx', 'submit', built);
  expect([unsigned.code, unsigned.stderr]).toEqual([
    2,
    expect.stringMatching(/not signed yet\n.*`tx sign` signs it/),
  ]);
  const { stdout } = await sign(built);
  const again = await online('tx', 'sign', write('signed.json', stdout));
  expect([again.code, again.stderr]).toEqual([
    2,
    expect.stringMatching(/already signed\n.*`zbc-signer tx submit`/),
  ]);
});

test('tx build reports missing, conflicting and invalid options', async () => {
  const cases: [string[], RegExp][] = [
    [['--to', SECOND], /--amount is missing/],
    [['--amount', '1'], /--to is missing/],
    [['--approve', '00'.repeat(32), '--to', SECOND], /Arguments approve and to are mutually exclusive/],
    [['--to', SECOND, '--amount', '1', '--from', 'me'], /error: --from: /],
  ];
  for (const [words, error] of cases) {
    const from = words.includes('--from') ? [] : ['--from', FIRST];
    const { code, stderr } = await online('tx', 'build', ...from, ...words);
    expect([words, code, stderr]).toEqual([words, 2, expect.stringMatching(error)]);
  }
});
