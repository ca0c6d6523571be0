import * as host from '@zbc-signer/host';
import * as reasons from '@zbc-signer/protocol/refusal-reasons';
import * as statusWords from '@zbc-signer/protocol/status-words';
import { bytesOf, refusalCases, transactionCases } from '../../../testkit/repository/vectors.js';
import { command, getPublicKey, u32 } from './script.js';
import { ScriptedTransport } from './scripted-transport.js';

const { Signer } = host;
const first = transactionCases[0]!;

/** Returns field, offset and reason in the device's format (docs/APDU.md#refusal-details), in hex. */
function detail(field: number, offset: number, reason: number): string {
  return Buffer.of(field, offset & 0xff, offset >> 8, reason).toString('hex');
}

/** Returns the error of signing if the device answers the header with this reply. */
async function refusalOf(reply: string, tx = first.tx, linked = ''): Promise<host.DeviceError> {
  const header = u32(0) + first.genesis + u32(tx.length / 2) + u32(linked.length / 2);
  // The script contains the reply twice, because after BAD_STATE the host tries again.
  const refused: [string, string] = [command('06', '00', header), reply];
  const script: [string, string][] = [...getPublicKey(0), refused, refused];
  const request = {
    account: 0,
    genesisHash: bytesOf(first.genesis),
    transaction: bytesOf(tx),
    linked: bytesOf(linked),
  };
  return new Signer(new ScriptedTransport(...script)).signTransaction(request).then(
    () => {
      throw new Error('signed');
    },
    (error: host.DeviceError) => error,
  );
}

const hex = (statusWord: number) => statusWord.toString(16);

describe('a status word', () => {
  test.each([
    ['6985', 'DeviceError', 'USER_REJECTED'],
    ['6a80', 'DeviceRefusedError', 'MALFORMED'],
    ['b101', 'DeviceRefusedError', 'SENDER_MISMATCH'],
    ['b102', 'DeviceRefusedError', 'UNSUPPORTED_TYPE'],
    ['b103', 'DeviceRefusedError', 'TOO_LARGE'],
    ['b104', 'DeviceRefusedError', 'ESCROW_HASH_MISMATCH'],
    ['5515', 'DeviceError', 'LOCKED'],
    ['6901', 'DeviceError', 'BUSY'],
    ['6d00', 'DeviceError', 'WRONG_APP'],
    ['6e00', 'DeviceError', 'WRONG_APP'],
    ['6700', 'DeviceError', 'WRONG_LENGTH'],
    ['6a86', 'DeviceError', 'WRONG_P1P2'],
    ['6902', 'DeviceError', 'BAD_STATE'],
    ['6f00', 'DeviceError', 'INTERNAL'],
    ['1234', 'DeviceError', 'UNKNOWN_STATUS'],
  ])('%s becomes a %s', async (statusWord, name, code) => {
    const error = await refusalOf(statusWord);
    expect(error).toBeInstanceOf(host.DeviceError);
    expect(error).toMatchObject({ name, code, statusWord: Number.parseInt(statusWord, 16) });
    expect(error.facts.statusWord).toBe(statusWord.toUpperCase());
  });

  test.each(Object.entries(statusWords).filter(([name]) => name !== 'OK'))(
    'of the protocol is never reported as unknown: %s',
    async (_name, statusWord) => {
      expect((await refusalOf(hex(statusWord))).code).not.toBe('UNKNOWN_STATUS');
    },
  );
});

describe('the detail of a refusal', () => {
  test('gives the reason and the place, in the message and as facts', async () => {
    const error = await refusalOf(`${detail(9, 93, reasons.ESCROW_TIMEOUT)}6a80`);
    expect(error.message).toBe(
      'the device refused the transaction: the escrow timeout is not after the timestamp (escrow, byte 93)',
    );
    expect(error).toMatchObject({ field: 9, offset: 93, reason: 'escrow-timeout' });
    expect(error.facts).toEqual({
      statusWord: '6A80',
      field: 'escrow',
      offset: 93,
      reason: 'escrow-timeout',
    });
  });

  test.each(Object.entries(reasons))('has words for %s', async (name, number) => {
    const error = (await refusalOf(`${detail(1, 2, number)}6a80`)) as host.DeviceRefusedError;
    expect(error.reason).toBe(name.toLowerCase().replaceAll('_', '-'));
    expect(error.message).not.toContain('does not know');
  });

  test('has a name for every field', async () => {
    for (let field = 0; field <= 12; field += 1) {
      const error = await refusalOf(`${detail(field, 0, reasons.TRUNCATED)}6a80`);
      expect(error.facts.field).not.toMatch(/^field/);
    }
  });

  test('may have a reason that only a later device knows', async () => {
    const error = await refusalOf(`${detail(77, 0xffff, 200)}6a80`);
    expect(error.message).toBe(
      'the device refused the transaction: unknown reason-200 (field 77, byte 65535)',
    );
  });

  test.each(['00', '0102', '010203', '0102030405'])('is left out if its bytes are "%s"', async data => {
    const error = await refusalOf(`${data}6a80`);
    expect(error).toMatchObject({ field: undefined, offset: undefined, reason: undefined });
    expect(error.message).toBe('the device refused the transaction: it is malformed');
  });

  test('names the transaction type that is not supported', async () => {
    const { tx } = refusalCases.find(({ name }) => name === 'unknown type 2')!;
    const error = await refusalOf(`${detail(1, 0, reasons.TYPE_UNSUPPORTED)}b102`, tx);
    expect(error.message).toBe(
      'the device refused the transaction: the transaction type is not supported: 2, NodeRegistration (transaction type, byte 0)',
    );
    const unknown = await refusalOf(`${detail(1, 0, reasons.TYPE_UNSUPPORTED)}b102`, tx.replace('02', 'ff'));
    expect(unknown.message).toContain('255, unknown type');
  });

  test('reports that a setting of the device refuses an unknown chain', async () => {
    const error = await refusalOf(`${detail(0, 4, reasons.UNKNOWN_CHAIN)}6985`);
    expect(error.code).toBe('USER_REJECTED');
    expect(error.message).toBe(
      "the device refused the transaction: the chain is unknown, and the device's settings refuse unknown chains (header, byte 4)",
    );
    expect(error.hint).toContain('Unknown chains');
  });
});

describe('TOO_LARGE', () => {
  const sizeOf = async (place: string, tx: string, linked?: string) => {
    const { facts, message } = await refusalOf(`${place}b103`, tx, linked);
    return { actual: facts.actualBytes, allowed: facts.allowedBytes, message };
  };
  const named = (name: string) => refusalCases.find(refusal => refusal.name === name)!.tx;

  test.each<[string, [number, number, number], string, string | undefined, number]>([
    ['transaction', [0, 36, reasons.TX_TOO_LARGE], '00'.repeat(2049), undefined, 2048],
    ['linked transaction', [0, 40, reasons.LINKED_TOO_LARGE], first.tx, '00'.repeat(2113), 2112],
    ['message in the transaction', [10, 109, reasons.MESSAGE_TOO_LONG], named('message 257'), undefined, 256],
    [
      'escrow instruction',
      [9, 157, reasons.INSTRUCTION_TOO_LONG],
      named('escrow instruction 513'),
      undefined,
      512,
    ],
  ])('reports the size of the %s and the limit', async (_what, place, tx, linked, allowed) => {
    const { message, ...size } = await sizeOf(detail(...place), tx, linked);
    expect(size).toEqual({ actual: allowed + 1, allowed });
    expect(message).toContain(`: ${allowed + 1} bytes, at most ${allowed}`);
  });

  test('reports no size if the offset is past the transaction or at a field that is not too large', async () => {
    for (const offset of [110, 111, 0xffff, 105]) {
      const size = await sizeOf(detail(10, offset, reasons.MESSAGE_TOO_LONG), first.tx);
      expect(size.actual).toBeUndefined();
    }
  });

  test('reports the size of a message to sign', async () => {
    const message = new Uint8Array(2049).fill(0x61);
    await expect(new Signer(new ScriptedTransport()).signMessage(0, message)).rejects.toMatchObject({
      code: 'TOO_LARGE',
      facts: { actualBytes: 2049, allowedBytes: 2048 },
    });
  });
});
