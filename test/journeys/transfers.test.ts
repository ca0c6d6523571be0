import { createHash } from 'node:crypto';
import { FIRST, Journey, SECOND } from '../../testkit/network/journey.js';

let journey: Journey;
beforeAll(async () => {
  journey = await Journey.start();
});
afterAll(() => journey.stop());

/** The title and value lines that the command line printed on stderr. */
function announced(stderr: string): string[][] {
  const [, block = ''] = stderr.split('The device should show:\n');
  const lines = block.split('\n').filter(line => line.startsWith('  '));
  return lines.map(line => line.trim().split(/ {2,}/));
}

describe('send', () => {
  test('signs on the device, is confirmed by the chain, and shows beforehand what the device shows', async () => {
    const before = await journey.gateway.account(SECOND);
    const words = ['send', '--to', SECOND, '--amount', '1.5', '--message', 'invoice 42'];
    const { code, stdout, stderr, review } = await journey.decide('approve', ...words);
    expect(code).toBe(0);
    expect(stdout).toContain('confirmed');
    expect(announced(stderr)).toEqual(review);
    expect(review).toContainEqual(['Total leaving', '1.525 ZBC']);
    const after = await journey.gateway.account(SECOND);
    expect(after!.balance - before!.balance).toBe(150_000_000n);
  });

  test('prints one JSON object for programs', async () => {
    const words = ['send', '--to', SECOND, '--amount', '0.00000001', '--json'];
    const { code, stdout, stderr } = await journey.decide('approve', ...words);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    const sent = JSON.parse(stdout);
    expect(sent).toMatchObject({
      status: 'confirmed',
      sender: FIRST,
      recipient: SECOND,
      amount: 1,
      fee: 2_500_000,
      genesis_hash: journey.devnet.genesisHash,
      duplicate: false,
    });
    expect(sent.signature).toMatch(/^[0-9a-f]{128}$/);
    // The id has more digits than JSON.parse keeps.
    const id = Buffer.from(sent.transaction_hash, 'hex').readBigInt64LE(0);
    expect(stdout).toContain(`"transaction_id":"${id}",`);
    expect((await journey.run('status', sent.transaction_hash)).stdout).toContain('confirmed');
  });

  test('reports a rejection on the device, and sends nothing', async () => {
    const before = await journey.gateway.account(FIRST);
    const { code, stdout, stderr } = await journey.decide('reject', 'send', '--to', SECOND, '--amount', '1');
    expect(code).toBe(4);
    expect(stdout).toBe('');
    expect(stderr).toContain('error: rejected on the device');
    expect(await journey.gateway.account(FIRST)).toEqual(before);
  });
});

test('send-token scales by the decimals of the chain, and the device shows that the app reported them', async () => {
  const words = ['send-token', '--token', '1', '--to', SECOND, '--amount', '0.5', '--json'];
  const { code, stdout, review } = await journey.decide('approve', ...words);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'confirmed', token_id: '1', amount: 50_000_000 });
  expect(review).toContainEqual(['Token amount', '50000000 atomic units']);
  expect(review).toContainEqual(['As reported by the app', '0.5 AMBER']);
});

describe('an escrow', () => {
  /** 2 coins from account 0 to account 1, with account 0 itself as the approver. */
  async function open(): Promise<string> {
    const escrow = [
      '--escrow-approver',
      FIRST,
      '--escrow-timeout',
      '1h',
      '--escrow-instruction',
      'ship first',
    ];
    const words = ['send', '--to', SECOND, '--amount', '2', ...escrow, '--json'];
    return JSON.parse((await journey.decide('approve', ...words)).stdout).transaction_hash;
  }

  test.each<['approve' | 'reject', bigint]>([
    ['approve', 200_000_000n],
    ['reject', 0n],
  ])('is decided with %s, from the verified bytes', async (decision, paid) => {
    const hash = await open();
    const before = await journey.gateway.account(SECOND);
    const { code, stdout, review } = await journey.decide('approve', 'escrow', decision, hash, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ approval: decision, escrowed_transaction_hash: hash });
    expect(review).toContainEqual(['Escrow decision', decision.toUpperCase()]);
    expect(review).toContainEqual(['Escrow amount', '2 ZBC']);
    expect(review).toContainEqual(['Escrow instruction', 'ship first']);
    const after = await journey.gateway.account(SECOND);
    expect(after!.balance - before!.balance).toBe(paid);
  });

  test('is listed for its approver and its sender until it is decided, and status shows its state', async () => {
    const hash = await open();
    const list = async (...words: string[]) =>
      JSON.parse((await journey.run('escrow', 'list', ...words, '--json')).stdout);
    const isIt = expect.objectContaining({
      transaction_hash: hash,
      amount: 200_000_000,
      escrow_status: 'held',
    });
    expect(await list()).toMatchObject({
      address: FIRST,
      to_decide: expect.arrayContaining([isIt]),
      opened: expect.arrayContaining([isIt]),
    });
    expect(await list('--address', SECOND)).toEqual({ address: SECOND, to_decide: [], opened: [] });
    const status = JSON.parse((await journey.run('status', hash, '--json')).stdout);
    expect(status).toMatchObject({ status: 'confirmed', escrow_status: 'held', escrow_approver: FIRST });
    await journey.decide('approve', 'escrow', 'reject', hash);
    expect((await journey.run('status', hash)).stdout).toMatch(/^Escrow +rejected$/m);
    const hashes = (listed: { opened: { transaction_hash: string }[] }) =>
      listed.opened.map(({ transaction_hash }) => transaction_hash);
    expect(hashes(await list())).not.toContain(hash);
    expect(hashes(await list('--all'))).toContain(hash);
  });

  test('with a hash that the chain does not have is reported with its own error and exit code', async () => {
    const { code, stderr } = await journey.run('escrow', 'approve', '00'.repeat(32));
    expect(code).toBe(14);
    expect(stderr).toContain('the chain has no transaction 0000');
  });

  test('cannot be decided by another account', async () => {
    const { code, stderr } = await journey.run('escrow', 'approve', await open(), '--account', '1');
    expect(code).toBe(2);
    expect(stderr).toContain(`the approver of this escrow is ${FIRST}, not your account ${SECOND}`);
  });
});

test('send --json-input signs without a device, with a key from stdin that it never prints', async () => {
  const { runCommand } = await import('../../testkit/process/cli.js');
  const { generateKeyPairSync } = await import('node:crypto');
  const pair = generateKeyPairSync('ed25519');
  const key = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32).toString('hex');
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  await journey.gateway.faucet(`00000000${publicKey}`);
  const stdin = JSON.stringify({ sender_privkey: key, recipient: SECOND, amount: 7 });
  const words = ['send', '--json-input', '--api', journey.devnet.url];
  const { code, stdout, stderr } = await runCommand(words, { stdin });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'confirmed', recipient: SECOND, amount: 7 });
  expect(stdout + stderr).not.toContain(key);
});

test('address --show prints the address and has the device confirm it', async () => {
  const { code, stdout, stderr, review } = await journey.decide('approve', 'address', '--show');
  expect(code).toBe(0);
  expect(stdout).toBe(`${FIRST}\n`);
  expect(stderr).toContain(FIRST);
  expect(review).toEqual([['Address', FIRST]]);
});

test('sign-message signs the bytes of its text, as RFC 8032 does without --anti-exfil', async () => {
  const text = 'Sign in to example.org';
  const plain = ['sign-message', text, '--anti-exfil', 'off', '--json'];
  const { code, stdout } = await journey.decide('approve', ...plain);
  expect(code).toBe(0);
  const { messages } = await import('../../testkit/repository/vectors.js');
  const vector = messages.cases.find(({ message }) => message === Buffer.from(text).toString('hex'))!;
  expect(JSON.parse(stdout)).toMatchObject({
    address: FIRST,
    signature: Reflect.get(vector.expect, 'signature'),
  });
});

test('sign-message signs a text that starts with dashes, and verify-message rejects another text', async () => {
  const text = '--json help';
  const signed = await journey.decide('approve', 'sign-message', '--json', '--', text);
  const { signature, address } = JSON.parse(signed.stdout);
  expect(signed.review).toContainEqual(['Message', text]);
  const of = ['--address', address, '--signature', signature];
  const { runCommand } = await import('../../testkit/process/cli.js');
  const [same, other, stdin] = await Promise.all([
    runCommand(['verify-message', ...of, '--json', '--', text]),
    runCommand(['verify-message', ...of, '--', `${text}.`]),
    runCommand(['verify-message', '-', ...of], { stdin: text }),
  ]);
  expect([same.code, JSON.parse(same.stdout)]).toEqual([
    0,
    expect.objectContaining({ valid: true, address }),
  ]);
  expect([other.code, other.stderr]).toEqual([
    11,
    expect.stringContaining('not a signature of this text by'),
  ]);
  expect(stdin.code).toBe(0);
});

test('accounts lists the requested number of addresses, and rejects a range beyond the last account', async () => {
  const { accounts } = await import('../../testkit/repository/vectors.js');
  const vectors = accounts.cases.filter(({ account }) => account < 2);
  const { code, stdout } = await journey.run('accounts', '--count', '2', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout).accounts).toEqual(
    vectors.map(({ account, address, public_key }) => ({ account, address, public_key })),
  );
  const last = await journey.run('accounts', '--account', '2147483647');
  expect([last.code, last.stderr]).toEqual([2, expect.stringContaining('beyond the last account')]);
});

test('version reports the app, the firmware and the limits of the device', async () => {
  const { code, stdout } = await journey.run('version', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    host_version: '1.0.0',
    app_name: 'ZBC Signer',
    firmware_version: '1.0.0',
    supported_types: [1, 4, 11],
    max_transaction_size: 2048,
    max_message_size: 256,
    max_instruction_size: 512,
    refuses_unknown_chains: false,
    locked: false,
  });
});

test('balance reports the account of the device unless another is named, including tokens', async () => {
  const [own, named, unknown] = await Promise.all([
    journey.run('balance', '--json'),
    journey.run('balance', FIRST, '--json'),
    journey.run('balance', `00000000${createHash('sha256').update('nobody').digest('hex')}`, '--json'),
  ]);
  expect(own.stdout).toBe(named.stdout);
  expect(JSON.parse(own.stdout)).toMatchObject({ address: FIRST, known: true });
  expect(JSON.parse(own.stdout).tokens[2]).toEqual({
    token_id: '2',
    symbol: 'TICKET',
    decimals: 0,
    balance: 10,
    spendable_balance: 10,
  });
  expect(JSON.parse(unknown.stdout)).toMatchObject({ known: false, balance: 0, tokens: [] });
});

test('faucet pays the account of the device or the account that is named, and waits until the payment can be read', async () => {
  const somebody = `00000000${createHash('sha256').update('somebody').digest('hex')}`;
  const before = await journey.gateway.account(FIRST);
  const own = await journey.run('faucet', '--json');
  expect(JSON.parse(own.stdout)).toEqual({ address: FIRST, block_height: expect.any(Number) });
  const after = await journey.gateway.account(FIRST);
  expect(after!.balance - before!.balance).toBe(10_000_000_000n);
  const other = await journey.run('faucet', somebody);
  expect(other.stdout).toMatch(/^Paid to {3}ZBC_\w+\nIn block {2}\d+\n$/);
  const status = await journey.run('balance', somebody, '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ known: true, balance: 10_000_000_000 });
});
