import { Signer, type SignTransactionRequest } from '@zbc-signer/host';
import {
  accountCases,
  bytesOf,
  messages,
  type TransactionCase,
  transactionCases,
} from '../../../testkit/repository/vectors.js';
import { command, getPublicKey, OK, publicKeyReply, signMessage, signTransaction, u32 } from './script.js';
import { ScriptedTransport } from './scripted-transport.js';

const ADDRESS = accountCases[0]?.address ?? '';
const first = transactionCases[0]!;
const ascii = (text: string) => Buffer.from(text, 'ascii').toString('hex');

function requestOf({ account, genesis, tx, linked, token }: TransactionCase): SignTransactionRequest {
  const base = { account, genesisHash: bytesOf(genesis), transaction: bytesOf(tx), token };
  return linked === undefined ? base : { ...base, linked: bytesOf(linked) };
}

function signerOf(...script: [string, string][]): Signer {
  return new Signer(new ScriptedTransport(...script));
}

describe('getAppName', () => {
  const ask = 'b001000000';
  const answer = (name: string) =>
    `01${name.length.toString(16).padStart(2, '0')}${ascii(name)}05${ascii('1.0.0')}0100${OK}`;

  test('reads the name and the version', async () => {
    const signer = signerOf([ask, answer('ZBC Signer')]);
    expect(await signer.getAppName()).toEqual({ name: 'ZBC Signer', version: '1.0.0' });
  });

  test('names the app that runs instead of the signer', async () => {
    await expect(signerOf([ask, answer('Bitcoin')]).getAppName()).rejects.toMatchObject({
      code: 'WRONG_APP',
      message: 'the device runs the app "Bitcoin", not ZBC Signer',
      facts: { app: 'Bitcoin' },
    });
  });

  test.each([
    ['an empty reply', ''],
    ['another format', `02${answer('ZBC Signer').slice(2, -4)}`],
    ['a name longer than the reply', `01ff${ascii('ZBC Signer')}`],
    ['a control character', `010a${ascii('ZBC\u001bSigner')}05${ascii('1.0.0')}`],
    ['a version cut short', `010a${ascii('ZBC Signer')}05${ascii('1.0.')}`],
    ['no version', `010a${ascii('ZBC Signer')}`],
  ])('rejects %s as a reply', async (_what, data) => {
    await expect(signerOf([ask, data + OK]).getAppName()).rejects.toMatchObject({ code: 'INVALID_REPLY' });
  });
});

describe('getVersion', () => {
  const ask = 'e003000000';
  const fields = `01010203${'03'}${u32(2048)}${u32(256)}${u32(512)}03${u32(1)}${u32(4)}${u32(11)}`;

  test('reads every field', async () => {
    expect(await signerOf([ask, fields + OK]).getVersion()).toEqual({
      protocolVersion: 1,
      firmwareVersion: '1.2.3',
      refusesUnknownChains: true,
      contactsOnly: false,
      locked: true,
      maxTransaction: 2048,
      maxMessage: 256,
      maxInstruction: 512,
      supportedTypes: [1, 4, 11],
    });
  });

  test.each([
    ['00', false, false, false],
    ['01', true, false, false],
    ['02', false, true, false],
    ['04', false, false, true],
  ])('reads flags %s', async (flags, refusesUnknownChains, locked, contactsOnly) => {
    const reply = `${fields.slice(0, 8)}${flags}${fields.slice(10)}${OK}`;
    expect(await signerOf([ask, reply]).getVersion()).toMatchObject({
      refusesUnknownChains,
      locked,
      contactsOnly,
    });
  });

  test('ignores bytes after the fields', async () => {
    expect((await signerOf([ask, `${fields}abcd${OK}`]).getVersion()).supportedTypes).toEqual([1, 4, 11]);
  });

  test('rejects every truncation of the reply', async () => {
    for (let length = 0; length < fields.length; length += 2) {
      const version = signerOf([ask, fields.slice(0, length) + OK]).getVersion();
      await expect(version).rejects.toMatchObject({ code: 'INVALID_REPLY' });
    }
  });

  test('rejects another version of the protocol', async () => {
    const version = signerOf([ask, `02${fields.slice(2)}${OK}`]).getVersion();
    await expect(version).rejects.toMatchObject({ code: 'PROTOCOL_VERSION', facts: { protocolVersion: 2 } });
  });
});

describe('getPublicKey', () => {
  test.each(accountCases)(
    'gives the key and the address of account $account',
    async ({ account, public_key, address }) => {
      const answer = await signerOf(...getPublicKey(account)).getPublicKey(account);
      expect(answer).toEqual({ publicKey: bytesOf(public_key), address });
    },
  );

  test('asks the device to confirm when requested', async () => {
    const signer = signerOf([command('05', '01', u32(0)), publicKeyReply(0)]);
    expect((await signer.getPublicKey(0, { confirm: true })).address).toBe(ADDRESS);
  });

  test.each([-1, 1.5, 2 ** 31, Number.NaN])('sends nothing for account %p', async account => {
    const transport = new ScriptedTransport();
    await expect(new Signer(transport).getPublicKey(account)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: `an account index is a whole number from 0 to 2147483647, not ${account}`,
    });
    expect(transport.commands).toEqual([]);
  });
});

describe('signTransaction', () => {
  test.each(transactionCases)('uploads $name byte for byte and returns the result', async vector => {
    const transport = new ScriptedTransport(...signTransaction(vector));
    const signed = await new Signer(transport).signTransaction(requestOf(vector));
    expect(signed.signature).toEqual(bytesOf(vector.expect.signature));
    expect(signed.transactionHash).toEqual(bytesOf(vector.expect.tx_hash));
    expect(transport.finished).toBe(true);
  });

  test('withholds a signature of another transaction', async () => {
    const { signature, tx_hash } = transactionCases[1]!.expect;
    const signing = signerOf(...signTransaction(first, signature + tx_hash + OK)).signTransaction(
      requestOf(first),
    );
    await expect(signing).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  test('withholds a signature for another chain', async () => {
    const otherChain = { ...first, genesis: '11'.repeat(32) };
    const signing = signerOf(...signTransaction(otherChain)).signTransaction(requestOf(otherChain));
    await expect(signing).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  test('compares every byte of the hash', async () => {
    const { signature, tx_hash } = first.expect;
    for (let at = 0; at < 32; at++) {
      const wrong = Buffer.from(bytesOf(tx_hash).map((byte, i) => (i === at ? byte ^ 1 : byte))).toString(
        'hex',
      );
      const signer = signerOf(...signTransaction(first, signature + wrong + OK));
      await expect(signer.signTransaction(requestOf(first))).rejects.toMatchObject({
        code: 'TRANSACTION_HASH_MISMATCH',
      });
    }
  });

  test('checks the sent bytes even if the caller changes them meanwhile', async () => {
    const request = requestOf(first);
    const signing = signerOf(...signTransaction(first)).signTransaction(request);
    request.transaction.fill(0);
    request.genesisHash.fill(0);
    expect((await signing).signature).toEqual(bytesOf(first.expect.signature));
  });

  test.each([
    ['a genesis hash of 31 bytes', { genesisHash: new Uint8Array(31) }],
    ['decimals of 1.5', { token: { decimals: 1.5 } }],
    ['a symbol that no header holds', { token: { symbol: 'x'.repeat(300) } }],
  ])('sends nothing for %s', async (_what, change) => {
    const transport = new ScriptedTransport();
    const signing = new Signer(transport).signTransaction({ ...requestOf(first), ...change });
    await expect(signing).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(transport.commands).toEqual([]);
  });
});

describe('an upload that the device has dropped', () => {
  const [asked, begun, ...chunks] = signTransaction(first);
  const [header, accepted] = begun!;
  const dropped: [string, string] = [chunks[0]![0], '6902'];

  test('is started again', async () => {
    const transport = new ScriptedTransport(
      asked!,
      [header, accepted],
      dropped,
      [header, accepted],
      ...chunks,
    );
    await expect(new Signer(transport).signTransaction(requestOf(first))).resolves.toBeDefined();
    expect(transport.finished).toBe(true);
  });

  test('is not started a third time', async () => {
    const upload = [[header, accepted], dropped] as [string, string][];
    const signer = signerOf(asked!, ...upload, ...upload);
    await expect(signer.signTransaction(requestOf(first))).rejects.toMatchObject({ code: 'BAD_STATE' });
  });
});

describe('signMessage', () => {
  const signable = messages.cases.flatMap(({ account, message, expect: wanted }) =>
    'signature' in wanted ? [{ account, message: bytesOf(message), signature: wanted.signature }] : [],
  );

  const refusedMessages = messages.cases.flatMap(({ message, expect: wanted }) =>
    'refusal' in wanted ? [{ message, refusal: wanted.refusal }] : [],
  );

  test.each(signable)(
    'returns the published signature over $message.length bytes',
    async ({ account, message, signature }) => {
      const transport = new ScriptedTransport(...signMessage(account, message, signature + OK));
      const signed = await new Signer(transport).signMessage(account, message);
      expect(signed).toEqual({ signature: bytesOf(signature) });
      expect(transport.finished).toBe(true);
    },
  );

  test.each(refusedMessages)(
    'does not ask the device to sign a message that every device refuses: $message',
    async ({ message, refusal }) => {
      const transport = new ScriptedTransport();
      const call = new Signer(transport).signMessage(0, bytesOf(message));
      await expect(call).rejects.toMatchObject({ name: 'DeviceRefusedError', code: refusal });
      expect(transport.commands).toEqual([]);
    },
  );

  test.each([
    ['\t', 0],
    ['ab\rc', 2],
    ['caf\u00e9', 3],
    ['\u007f', 0],
    [`${'a'.repeat(300)}\u0000`, 300],
  ])('names the first byte of %j that is not text', async (text, offset) => {
    const call = new Signer(new ScriptedTransport()).signMessage(0, new TextEncoder().encode(text));
    await expect(call).rejects.toMatchObject({ code: 'MALFORMED', reason: 'not-text', offset });
  });

  test('withholds a signature over another message', async () => {
    const message = bytesOf('62');
    const signer = signerOf(...signMessage(0, message, signable[0]?.signature + OK));
    await expect(signer.signMessage(0, message)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });
});

describe('every call', () => {
  test.each(['', '90', `${'00'.repeat(260)}9000`])('rejects "%s" as a reply', async reply => {
    await expect(signerOf(['e003000000', reply]).getVersion()).rejects.toMatchObject({
      code: 'INVALID_REPLY',
    });
  });

  test("wraps a transport's own failure and keeps it as the cause", async () => {
    const cause = new Error('cable');
    const transport = { exchange: () => Promise.reject(cause), close() {} };
    const failure = new Signer(transport).getVersion();
    await expect(failure).rejects.toMatchObject({ name: 'TransportError', code: 'TRANSPORT_FAILED', cause });
  });

  test('close closes the transport', async () => {
    const transport = new ScriptedTransport();
    await new Signer(transport).close();
    expect(transport.closed).toBe(true);
  });
});
