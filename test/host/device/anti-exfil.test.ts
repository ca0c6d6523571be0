import { verify as nodeVerify } from 'node:crypto';
import { derivePrivateKey, seedFromMnemonic, signingDigest, TEST_MNEMONIC, toHex } from '@zbc-signer/chain';
import {
  type NonceError,
  Signer,
  SigningRecord,
  type TextStore,
  verifyNonceEvidence,
} from '@zbc-signer/host';
import { NonceDevice, type NonceLie } from '../../../testkit/device/nonce-device.js';
import { payment } from '../../../testkit/device/payment.js';
import { bytesOf } from '../../../testkit/repository/vectors.js';

const REQUEST = {
  account: payment.account,
  genesisHash: bytesOf(payment.genesis),
  transaction: bytesOf(payment.tx),
};
const DIGEST = signingDigest(REQUEST.genesisHash, REQUEST.transaction);
const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

class Store implements TextStore {
  text: string | undefined;
  load = async () => this.text;
  store = async (text: string) => {
    this.text = text;
  };
}

let device: NonceDevice;
let signer: Signer;
let store: Store;
let record: SigningRecord;
let count = 0;
beforeEach(() => {
  device = new NonceDevice(derivePrivateKey(seedFromMnemonic(TEST_MNEMONIC), payment.account));
  signer = new Signer(device);
  store = new Store();
  record = new SigningRecord(store);
  count += 1;
});

/** A message that no other test signs, because the host remembers what it contributed to a signature. */
const message = (text = '') => Buffer.from(`message ${count} ${text}`);
const sign = (text = '') => signer.signMessage(0, message(text), { antiExfil: true, record });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    error => error,
  );
const withheld = async () => (await record.read(device.publicKey)).withheld;

/** Whether OpenSSL accepts the signature. */
function isValid(signature: Uint8Array, signed: Uint8Array): boolean {
  const key = Buffer.concat([SPKI_ED25519, device.publicKey]);
  return nodeVerify(null, signed, { key, format: 'der', type: 'spki' }, signature);
}

describe('a signature to which the host contributes', () => {
  test('is an ordinary signature, of a transaction and of a message', async () => {
    const options = { antiExfil: true, record };
    const signed = await signer.signTransaction(REQUEST, options);
    expect([isValid(signed.signature, DIGEST), signed.antiExfil]).toEqual([true, { withheld: 0 }]);
    expect(isValid((await sign()).signature, message())).toBe(true);
    expect(device.headers).toEqual([true, true]);
  });

  test('is the same for the same bytes, and another for others', async () => {
    const [one, again, other] = [await sign(), await sign(), await sign('other')];
    expect(again.signature).toEqual(one.signature);
    expect(device.reveals[1]).toEqual(device.reveals[0]);
    expect(device.reveals[2]).not.toEqual(device.reveals[0]);
    expect(other.signature.subarray(0, 32)).not.toEqual(one.signature.subarray(0, 32));
  });

  test('is not asked for by default', async () => {
    const signed = await signer.signTransaction(REQUEST);
    expect(toHex(signed.signature)).toBe(payment.expect.signature);
    expect([device.headers, 'antiExfil' in signed]).toEqual([[false], false]);
  });

  test('needs random bytes that the device cannot know: they are shown once R0 is there', async () => {
    device.lie = 'early';
    expect(await failure(sign())).toMatchObject({ code: 'INVALID_REPLY' });
    expect(device.reveals).toEqual([]);
  });
});

describe('a device that could leak the seed', () => {
  test.each<[NonceLie, string, number]>([
    ['torsion', 'NONCE_INVALID', 0],
    ['neutral', 'NONCE_INVALID', 0],
    ['plain', 'NONCE_NOT_COMMITTED', 1],
    ['other', 'NONCE_NOT_COMMITTED', 1],
  ])('by the lie "%s" is found: %s', async (lie, code, reveals) => {
    device.lie = lie;
    const error = (await failure(sign())) as NonceError;
    expect([error.code, device.reveals.length]).toEqual([code, reveals]);
    const verdict = verifyNonceEvidence(error.evidence());
    expect(verdict).toMatchObject({ fault: code, isShown: true, isSigned: reveals === 1 });
    expect(toHex(verdict.publicKey)).toBe(toHex(device.publicKey));
  });

  test('by another nonce for the same bytes is found, although each alone is right', async () => {
    device.lie = 'late';
    await sign();
    const error = (await failure(sign())) as NonceError;
    expect(error.code).toBe('NONCE_CHANGED');
    expect(verifyNonceEvidence(error.evidence()).isShown).toBe(true);
    expect(device.reveals).toHaveLength(1);
  });

  test.each<NonceLie>(['torsion', 'other', 'late'])(
    'by the lie "%s" is reported with its evidence although the caller aborts',
    async lie => {
      const abort = new AbortController();
      device.lie = lie;
      if (lie === 'late') await sign();
      store.store = async text => {
        if (text.includes('caught')) abort.abort();
        await new Promise(setImmediate);
        store.text = text;
      };
      const work = signer.signMessage(0, message(), { antiExfil: true, record, signal: abort.signal });
      const error = (await failure(work)) as NonceError;
      expect([abort.signal.aborted, verifyNonceEvidence(error.evidence()).isShown]).toEqual([true, true]);
    },
  );

  test.each<NonceLie>(['torsion', 'other'])(
    'is asked no more once found, until the user allows it: %s',
    async lie => {
      device.lie = lie;
      await failure(sign());
      device.lie = undefined;
      const { length } = device.headers;
      for (const text of ['', 'other'])
        expect(await failure(sign(text))).toMatchObject({ code: 'DEVICE_UNTRUSTED' });
      expect(device.headers).toHaveLength(length);
      const allowed = { antiExfil: true, record, allowsWithheld: true };
      expect((await signer.signMessage(0, message(), allowed)).antiExfil).toEqual({ withheld: 0 });
      expect(await failure(sign('other'))).toMatchObject({ code: 'DEVICE_UNTRUSTED' });
    },
  );

  test('leaves nothing of its nonce in the error, except in the evidence', async () => {
    device.lie = 'other';
    const error = (await failure(sign())) as NonceError;
    const { nonce_point, random_bytes, other } = JSON.parse(error.evidence());
    const shown = [error.message, JSON.stringify(error), error.stack, JSON.stringify(error.facts)].join();
    for (const part of [nonce_point, random_bytes, other]) expect(shown).not.toContain(part);
  });

  test('whose signature does not verify has its own error', async () => {
    device.lie = 'wrong';
    expect(await failure(sign())).toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(await withheld()).toBe(1);
  });
});

describe('evidence', () => {
  const evidenceOf = async (lie: NonceLie): Promise<Record<string, string>> => {
    device.lie = lie;
    return JSON.parse(((await failure(sign())) as NonceError).evidence());
  };

  test.each([
    [
      'a right point',
      'torsion',
      'nonce_point',
      'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
      true,
    ],
    [
      'the base point',
      'torsion',
      'nonce_point',
      '5866666666666666666666666666666666666666666666666666666666666666',
      false,
    ],
  ] as const)('with %s shows the fault or not', async (_what, lie, field, value, isShown) => {
    const evidence = { ...(await evidenceOf(lie)), [field]: value };
    expect(verifyNonceEvidence(JSON.stringify(evidence)).isShown).toBe(isShown);
  });

  test('of an honest signature shows nothing', async () => {
    const evidence = await evidenceOf('other');
    device.lie = undefined;
    const { signature } = await signer.signMessage(0, message(), {
      antiExfil: true,
      record: new SigningRecord(),
    });
    expect(verifyNonceEvidence(JSON.stringify({ ...evidence, other: toHex(signature) })).isShown).toBe(false);
  });

  test.each(['', '00', undefined])('is refused without a signature: %s', async other => {
    const evidence = { ...(await evidenceOf('other')), other };
    expect(() => verifyNonceEvidence(JSON.stringify(evidence))).toThrow(
      expect.objectContaining({ code: 'INVALID_DOCUMENT' }),
    );
  });

  test.each(['', '{}', '[]', '{"format":"zbc-signer-nonce-evidence","version":2}', `"${'x'.repeat(9000)}"`])(
    'is refused if it is damaged: %.30s',
    text => {
      expect(() => verifyNonceEvidence(text)).toThrow(expect.objectContaining({ code: 'INVALID_DOCUMENT' }));
    },
  );

  test.each(['public_key', 'random_bytes', 'nonce_point', 'message', 'other', 'fault'])(
    'is refused with a damaged %s',
    async field => {
      const evidence = { ...(await evidenceOf('other')), [field]: 'zz' };
      expect(() => verifyNonceEvidence(JSON.stringify(evidence))).toThrow(
        expect.objectContaining({ code: 'INVALID_DOCUMENT' }),
      );
    },
  );
});

describe('a device that withholds signatures', () => {
  test.each<NonceLie>(['withhold', 'cut'])('is counted until the same bytes are signed: %s', async lie => {
    device.lie = lie;
    expect(await failure(sign())).toMatchObject({ code: 'SIGNATURE_WITHHELD', facts: { withheld: 1 } });
    expect(await failure(sign())).toMatchObject({ code: 'SIGNATURE_WITHHELD', facts: { withheld: 1 } });
    expect(await failure(sign('other'))).toMatchObject({ facts: { withheld: 2 } });
    device.lie = undefined;
    expect((await sign()).antiExfil).toEqual({ withheld: 1 });
    expect((await sign('third')).antiExfil).toEqual({ withheld: 1 });
  });

  test('is counted before the random bytes are sent, so that a crash of the program counts', async () => {
    device.lie = 'cut';
    let before: number | undefined;
    const exchange = device.exchange.bind(device);
    device.exchange = async apdu => {
      if (apdu[2] === 2) before = JSON.parse(store.text ?? '{}').keys[0].withheld;
      return exchange(apdu);
    };
    await failure(sign());
    expect(before).toBe(1);
  });

  test('is asked no more after eight, until the user allows it', async () => {
    device.lie = 'withhold';
    for (let each = 0; each < 8; each += 1) await failure(sign(`${each}`));
    device.lie = undefined;
    const { length } = device.headers;
    expect(await failure(sign())).toMatchObject({ code: 'SIGNATURE_WITHHELD', facts: { withheld: 8 } });
    expect(device.headers).toHaveLength(length);
    const allowed = { antiExfil: true, record, allowsWithheld: true };
    expect((await signer.signMessage(0, message(), allowed)).antiExfil).toEqual({ withheld: 8 });
  });

  /** Has the device answer the commands with this P1 that carry what is signed, or their header, with a status. */
  async function signRefused(p1: number, status: string): Promise<unknown> {
    const exchange = device.exchange.bind(device);
    device.exchange = async apdu =>
      apdu[2] === p1 && (apdu[1] === 6 || apdu[1] === 7) ? Buffer.from(status, 'hex') : exchange(apdu);
    const error = await failure(signer.signMessage(0, message(status), { antiExfil: 'prefer', record }));
    device.exchange = exchange;
    return error;
  }

  test('is not one that the user rejected, or that refused the header', async () => {
    await signRefused(1, '6985');
    for (const status of ['6985', '5515', '6901', '6a80', '6f00']) await signRefused(0, status);
    expect(await withheld()).toBe(0);
  });

  test.each(['5515', '6901', '6902', '6a80', '6a86', '6d00', '6e00', '6f00', 'b101', 'b102', 'b103', '6999'])(
    'is one that answers %s when it knows the bytes',
    async status => {
      expect(await signRefused(1, status)).toMatchObject({
        code: expect.not.stringMatching('NOT_SUPPORTED'),
      });
      expect(await withheld()).toBe(1);
      expect(device.headers).not.toContain(false);
    },
  );

  test('is one that failed before the approval, unless the same bytes are signed', async () => {
    const exchange = device.exchange.bind(device);
    device.exchange = async apdu => {
      if (apdu[2] === 1 && apdu[1] !== 5) throw new Error('the cable was unplugged');
      return exchange(apdu);
    };
    for (const antiExfil of [true, 'prefer'] as const) {
      expect(await failure(signer.signMessage(0, message(), { antiExfil, record }))).toMatchObject({
        code: 'TRANSPORT_FAILED',
      });
      expect(await withheld()).toBe(1);
    }
    device.exchange = exchange;
    expect((await sign()).antiExfil).toEqual({ withheld: 0 });
  });
});

describe('a device with older firmware', () => {
  const prefer = (text = '') => signer.signMessage(0, message(text), { antiExfil: 'prefer', record });
  beforeEach(() => {
    device.lie = 'unsupported';
  });

  test('is refused if the contribution is required', async () => {
    expect(await failure(sign())).toMatchObject({
      code: 'NOT_SUPPORTED',
      facts: { feature: 'anti-exfil', firmwareVersion: '1.0.0' },
    });
    expect(await withheld()).toBe(0);
  });

  test('signs without it if it is preferred, and not once the key had it', async () => {
    const plain = await prefer();
    expect([isValid(plain.signature, message()), plain.antiExfil]).toEqual([true, undefined]);
    device.lie = undefined;
    expect((await prefer()).antiExfil).toEqual({ withheld: 0 });
    device.lie = 'unsupported';
    for (const antiExfil of ['prefer', 'require'] as const)
      expect(await failure(signer.signMessage(0, message('other'), { antiExfil, record }))).toMatchObject({
        code: 'DEVICE_UNTRUSTED',
      });
  });

  test.each<NonceLie>(['torsion', 'neutral', 'other', 'plain', 'wrong', 'withhold', 'cut'])(
    'is not believed after the lie "%s"',
    async lie => {
      device.lie = lie;
      await failure(prefer());
      device.lie = 'unsupported';
      for (const text of ['', 'other'])
        expect(await failure(prefer(text))).toMatchObject({ code: 'DEVICE_UNTRUSTED' });
      const isCounted = !['torsion', 'neutral'].includes(lie);
      expect([device.headers.includes(false), await withheld()]).toEqual([false, isCounted ? 1 : 0]);
    },
  );
});

describe('a transaction', () => {
  let request: typeof REQUEST;
  beforeEach(() => {
    const transaction = Uint8Array.from(REQUEST.transaction);
    // The timestamp, so that no other test signs the same bytes.
    transaction[5]! ^= count;
    request = { ...REQUEST, transaction };
  });
  const signWith = (
    antiExfil: 'require' | 'prefer' | 'off',
    by: Partial<{ record: SigningRecord }> = { record },
  ) => signer.signTransaction(request, { antiExfil, ...by });

  test.each([
    ['prefer', 'off'],
    ['off', 'require'],
  ] as const)('that was signed with %s is not signed with %s', async (first, second) => {
    for (const by of [{ record }, {}]) {
      await signWith(first, by);
      const { length } = device.headers;
      expect(await failure(signWith(second, by))).toMatchObject({ code: 'ALREADY_SIGNED' });
      expect(device.headers).toHaveLength(length);
      request.transaction[6]! ^= 1;
    }
  });

  test('that was signed with off has the same signature with prefer, and is refused once the key had more', async () => {
    const [one, again] = [await signWith('off'), await signWith('prefer')];
    expect(again.signature).toEqual(one.signature);
    await sign();
    expect(await failure(signWith('prefer'))).toMatchObject({ code: 'ALREADY_SIGNED' });
  });

  test.each(['prefer', 'off'] as const)('has one signature with %s', async antiExfil => {
    const [one, again] = [await signWith(antiExfil), await signWith(antiExfil)];
    expect(again.signature).toEqual(one.signature);
  });

  test('that another program signs during the review is not signed again', async () => {
    const exchange = device.exchange.bind(device);
    const digest = signingDigest(request.genesisHash, request.transaction);
    device.exchange = async apdu => {
      if (apdu[1] === 6 && apdu[2] === 1)
        await new SigningRecord(store).noteRevealed(device.publicKey, digest, {
          isAgain: false,
          isCounted: true,
        });
      return exchange(apdu);
    };
    for (let again = 0; again < 2; again++)
      expect(await failure(signWith('prefer'))).toMatchObject({ code: 'ALREADY_SIGNED' });
    expect([device.reveals, await withheld()]).toEqual([[], 0]);
  });
});

describe('a record', () => {
  test('lets no other run of the program sign a transaction a second time', async () => {
    const transaction = Uint8Array.from(REQUEST.transaction);
    // Another timestamp, which no other test signs.
    transaction[5]! ^= 1;
    const digest = signingDigest(REQUEST.genesisHash, transaction);
    await record.noteRevealed(device.publicKey, digest, { isAgain: false, isCounted: true });
    const request = { ...REQUEST, transaction };
    expect(await failure(signer.signTransaction(request, { antiExfil: true, record }))).toMatchObject({
      code: 'ALREADY_SIGNED',
    });
    expect(device.headers).toEqual([]);
  });

  test.each([
    '',
    '{}',
    '{"format":"zbc-signer-signings","version":1,"keys":[{}]}',
    `"${'x'.repeat(262_145)}"`,
  ])('that is damaged stops every signature: %.40s', async text => {
    store.text = text;
    expect(await failure(sign())).toMatchObject({ code: 'RECORD_DAMAGED' });
    expect([device.headers, store.text]).toEqual([[], text]);
  });

  test('that cannot be written stops the signature before the random bytes are sent', async () => {
    store.store = async () => {
      throw new Error('no space left');
    };
    expect(await failure(sign())).toMatchObject({ code: 'RECORD_DAMAGED' });
    expect(device.reveals).toEqual([]);
  });

  test('that cannot be written hides no fault of the device', async () => {
    store.store = async () => {
      throw new Error('no space left');
    };
    device.lie = 'neutral';
    expect(await failure(sign())).toMatchObject({ code: 'NONCE_INVALID' });
  });

  test('that cannot be written for a moment does not count an honest device', async () => {
    let writes = 0;
    store.store = async text => {
      writes += 1;
      if (writes === 2) throw new Error('no space left');
      store.text = text;
    };
    expect(await failure(sign())).toMatchObject({ code: 'RECORD_DAMAGED' });
    expect((await sign()).antiExfil).toEqual({ withheld: 0 });
  });

  test('takes back only what it counted', async () => {
    const other = new SigningRecord(new Store());
    device.lie = 'withhold';
    await failure(sign());
    await failure(signer.signMessage(0, message('lost'), { antiExfil: true, record: other }));
    device.lie = undefined;
    const signed = await signer.signMessage(0, message(), { antiExfil: true, record: other });
    expect([signed.antiExfil, await withheld()]).toEqual([{ withheld: 1 }, 1]);
  });

  test('that is full forgets the transactions of the keys that signed first', async () => {
    const digests = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(64, '0'));
    const keys = digests.slice(0, 16).map(key => ({
      public_key: key,
      required: true,
      withheld: 1,
      signed: digests,
      plain: [],
    }));
    const text = () => JSON.stringify({ format: 'zbc-signer-signings', version: 1, keys });
    keys.at(-1)!.signed = digests.slice(0, Math.floor((262_144 - text().length) / 67));
    store.text = text();
    expect((await sign()).antiExfil).toEqual({ withheld: 0 });
    expect(store.text.length).toBeLessThanOrEqual(262_144);
    const [first, last] = [await record.read(new Uint8Array(32)), await record.read(device.publicKey)];
    expect([first.isRequired, first.withheld, first.signed.length, last.isRequired]).toEqual([
      true,
      1,
      0,
      true,
    ]);
  });

  test('may be empty, and has no key twice', async () => {
    store.load = async () => null as unknown as string;
    await sign();
    store.load = async () => 7 as unknown as string;
    expect(await failure(sign())).toMatchObject({ code: 'RECORD_DAMAGED' });
    const key = `{"public_key":"${'0'.repeat(64)}","required":true,"withheld":0,"signed":[],"plain":[]}`;
    store.load = async () => `{"format":"zbc-signer-signings","version":1,"keys":[${key},${key}]}`;
    expect(await failure(sign())).toMatchObject({ code: 'RECORD_DAMAGED' });
  });

  test.each([{ antiExfil: 'Off' }, { antiExfil: null }, { antiExfil: true, record: {} }, { record: null }])(
    'and the mode are checked: %j',
    async options => {
      const work = signer.signMessage(0, message(), options as object);
      expect(await failure(work)).toMatchObject({ code: 'INVALID_INPUT' });
      expect(device.headers).toEqual([]);
    },
  );

  test('keeps no part of a nonce', async () => {
    await sign();
    const kept = store.text ?? '';
    expect(kept).not.toContain(device.reveals[0]?.toString('hex'));
    expect(Object.keys(JSON.parse(kept).keys[0]).sort()).toEqual([
      'plain',
      'public_key',
      'required',
      'signed',
      'withheld',
    ]);
  });

  test('is of one key', async () => {
    device.lie = 'withhold';
    await failure(sign());
    expect((await record.read(new Uint8Array(32))).withheld).toBe(0);
    expect(await record.countWithheld(new Uint8Array(32))).toBe(1);
  });
});
