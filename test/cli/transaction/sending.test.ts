import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  derivePrivateKey,
  encodeAddress,
  fromHex,
  publicKeyOf,
  seedFromMnemonic,
  sign,
  TEST_MNEMONIC,
  toHex,
} from '@zbc-signer/chain';
import { formatContacts } from '@zbc-signer/host';
import { commands as accountCommands } from '#cli/commands/account.js';
import { commands as stepCommands } from '#cli/commands/tx.js';
import { contactsOf, NO_CONTACTS, openContactFile, parseAccountOrName } from '#cli/transaction/contacts.js';
import {
  openJournal,
  parseDraftBase,
  parseEscrow,
  parseLimits,
  readTokenDraft,
  runFlow,
  type SendingOptions,
  sendFromDevice,
} from '#cli/transaction/sending.js';
import { startServer } from '../../../testkit/device/device-host.js';
import { OTHER } from '../../../testkit/gateway/chain-answers.js';
import { answer, FakeGateway } from '../../../testkit/gateway/fake-gateway.js';
import {
  codeOf,
  FlowFixture,
  keyOf,
  POST,
  refusal,
  SEND,
  SENT,
  sendDraft,
} from '../../../testkit/gateway/flow-fixture.js';

const NOW_MS = 1_800_000_000_000;
const GENESIS = 'ab'.repeat(32);
const { signal } = new AbortController();
/** A terminal that prints nothing. */
const terminal = new Proxy({}, { get: (_, name) => (name === 'signal' ? signal : () => undefined) }) as never;

const NAMES = ['XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'HOME'];
const before = NAMES.map(name => [name, process.env[name]] as const);
/** There is no configuration file. */
beforeEach(() => {
  process.env.XDG_CONFIG_HOME = '/dev/null';
});
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

test.each([
  ['/state', '/state/zbc-signer/payments'],
  ['state', join(homedir(), '.local/state/zbc-signer/payments')],
  ['./state', join(homedir(), '.local/state/zbc-signer/payments')],
  ['', join(homedir(), '.local/state/zbc-signer/payments')],
])('with XDG_STATE_HOME=%p, the journal is in %s, whatever the working directory', (value, directory) => {
  process.env.XDG_STATE_HOME = value;
  expect(openJournal().directory).toBe(directory);
});

test.each<[SendingOptions, object]>([
  [{}, { allowsFeeInToken: false }],
  [{ allowFeeInToken: false }, { allowsFeeInToken: false }],
  [{ allowFeeInToken: true }, { allowsFeeInToken: true }],
  [{ maxFee: '0.02' }, { allowsFeeInToken: false, maxFee: 2_000_000n }],
  [{ genesis: GENESIS }, { allowsFeeInToken: false, expectedGenesisHash: fromHex(GENESIS) }],
])('the limits of %p are those that were given', (options, limits) => {
  expect(parseLimits(options)).toEqual(limits);
});

test('a genesis hash of another length is not a limit', () => {
  expect(() => parseLimits({ genesis: GENESIS.slice(2) })).toThrow('64 hex digits');
});

test('the limit of the fee is that of the option, and otherwise that of the configuration', () => {
  const home = mkdtempSync(join(tmpdir(), 'config-'));
  process.env.XDG_CONFIG_HOME = home;
  mkdirSync(join(home, 'zbc-signer'));
  writeFileSync(join(home, 'zbc-signer/config.json'), '{"max_fee":"0.05"}');
  const limits = [parseLimits({}), parseLimits({ maxFee: '0.02' })];
  rmSync(home, { recursive: true });
  expect(limits.map(({ maxFee }) => maxFee)).toEqual([5_000_000n, 2_000_000n]);
});

test.each<[string, object, string]>([
  ['--fee-in-token on a payment of coins', { feeInToken: 'no' }, 'only for a token'],
  ['--from an account of another kind', { from: `03000000${'ab'.repeat(32)}` }, 'must be a ZBC_ address'],
])('tx build refuses %s', async (_what, options, message) => {
  const given = { from: OTHER, to: OTHER, amount: '1', api: 'http://127.0.0.1:9', ...options };
  await expect(stepCommands.build.run(given as never, terminal)).rejects.toThrow(message);
});

describe('verify-message', () => {
  const key = derivePrivateKey(seedFromMnemonic(TEST_MNEMONIC), 0);
  const signature = toHex(sign(Buffer.from('hello'), key));
  const verify = (text: string, address: string) =>
    codeOf(
      Promise.resolve(accountCommands['verify-message'].run({ text, address, signature } as never, terminal)),
    );
  const own = encodeAddress(publicKeyOf(key));

  test('accepts the signature of this text by this account only', async () => {
    expect(await verify('hello', own)).toBe('no error');
    expect(await verify('hello.', own)).not.toBe('no error');
    expect(await verify('hello', OTHER)).not.toBe('no error');
  });

  test('does not take an account of another kind for that of the same key', async () => {
    expect(await verify('hello', `03000000${toHex(publicKeyOf(key))}`)).not.toBe('no error');
  });
});

test('a draft has the fee and the message that were given, and neither otherwise', () => {
  expect(parseDraftBase({ fee: '0.03', message: 'é' })).toEqual({
    fee: 3_000_000n,
    message: Uint8Array.of(0xc3, 0xa9),
  });
  expect(parseDraftBase({})).toEqual({});
});

describe('an escrow', () => {
  const ESCROW = { escrowApprover: OTHER, escrowTimeout: '2h' };

  test('has the terms that were given', async () => {
    expect(
      await parseEscrow(
        { ...ESCROW, escrowCommission: '0.5', escrowInstruction: 'a', escrowMultiParty: true },
        NO_CONTACTS,
        NOW_MS,
      ),
    ).toMatchObject({
      commission: 50_000_000n,
      timeout: 1_800_007_200n,
      instruction: Uint8Array.of(97),
      multiParty: true,
    });
    expect(await parseEscrow({ ...ESCROW, escrowMultiParty: false }, NO_CONTACTS, NOW_MS)).toMatchObject({
      commission: 0n,
      instruction: new Uint8Array(0),
      multiParty: false,
    });
    expect(await parseEscrow({}, NO_CONTACTS, NOW_MS)).toBeUndefined();
  });

  test.each([
    { escrowApprover: OTHER },
    { escrowTimeout: '2h' },
    { escrowCommission: '1' },
    { escrowInstruction: 'wait' },
    { escrowMultiParty: true },
  ])('is not guessed from %p alone', async options => {
    await expect(parseEscrow(options, NO_CONTACTS, NOW_MS)).rejects.toThrow('an escrow needs both');
  });
});

describe('the draft of a token', () => {
  let gateway: FakeGateway;
  let api: string;
  beforeEach(async () => {
    gateway = new FakeGateway();
    api = await gateway.start();
  });
  afterEach(() => gateway.stop());

  const read = (options: object, id = 7) => {
    gateway.on('GET /api/v1/tokens/7', answer(`{"token_id":"${id}","decimals":2}`));
    return readTokenDraft({ api, token: '7', to: OTHER, amount: '2.5', ...options }, terminal, NO_CONTACTS);
  };

  test.each([
    ['yes', true],
    ['no', false],
    [undefined, undefined],
  ] as const)('with --fee-in-token %p has the flag %p', async (feeInToken, flag) => {
    expect(await read({ feeInToken })).toMatchObject({ amount: 250n, decimals: 2, feeInToken: flag });
  });

  test('is held in the escrow that was given', async () => {
    expect(await read({ escrowApprover: OTHER, escrowTimeout: '2h' })).toMatchObject({
      escrow: { commission: 0n },
    });
  });

  test('is not made with the decimals of another token', async () => {
    await expect(read({}, 8)).rejects.toThrow();
  });
});

describe('a payment', () => {
  let fixture: FlowFixture;
  beforeEach(async () => {
    process.env.XDG_STATE_HOME = mkdtempSync(join(tmpdir(), 'state-'));
    fixture = await FlowFixture.start();
    fixture.gateway.on(POST, refusal('insufficient balance'));
  });
  afterEach(async () => {
    rmSync(process.env.XDG_STATE_HOME!, { recursive: true });
    await fixture.gateway.stop();
  });

  const pay = (options: SendingOptions, changes: object = {}) => {
    const signing = { signer: keyOf(0), account: 0, asksDevice: false, findContacts: NO_CONTACTS };
    return codeOf(runFlow(sendDraft(changes), signing, { api: fixture.url, ...options }, terminal));
  };

  test('to a recipient whose payment may have been made needs --pay-again', async () => {
    expect(await pay({})).toBe('BROADCAST_REFUSED');
    expect(await pay({})).toBe('UNSETTLED_PAYMENT');
    expect(await pay({ payAgain: true })).toBe('BROADCAST_REFUSED');
  });

  test('to a name has the contact of the name, although another program changes the file meanwhile', async () => {
    const { publicKey: signer } = await keyOf(0).getPublicKey();
    const proof = new Uint8Array(32).fill(1);
    const genesisHash = fromHex(SEND.genesis);
    const contact = { name: 'Bob', account: SENT.recipient, genesisHash, proof, signer };
    const file = openContactFile();
    await file.store(formatContacts([contact]));
    const find = contactsOf(keyOf(0), { api: fixture.url }, terminal);
    const account = await parseAccountOrName('--to', 'Bob', find);
    await file.store(formatContacts([]));
    expect(await (await find())?.find(account)).toEqual(contact);
  });

  test('of nothing needs --allow-zero', async () => {
    expect(await pay({}, { amount: 0n })).toBe('ZERO_AMOUNT');
    expect(await pay({ allowZero: true }, { amount: 0n })).toBe('BROADCAST_REFUSED');
  });

  test.each([0, 1, 65_536])('from --account %i asks for the balance of that account', async account => {
    const server = await startServer();
    const options = { api: fixture.url, device: server.api, account: `${account}` };
    await codeOf(sendFromDevice(() => sendDraft({ amount: 10n ** 12n }), options, terminal));
    await server.close();
    const address = encodeAddress(publicKeyOf(derivePrivateKey(seedFromMnemonic(TEST_MNEMONIC), account)));
    expect(fixture.gateway.requests.map(({ path }) => path)).toContain(`/api/v1/accounts/${address}`);
  });
});
