import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyAsync } from '@noble/ed25519';
import {
  findBoard,
  formatManifest,
  keyHash,
  publicKeyHex,
  type ReleasedFile,
  type Segment,
  sha256Hex,
  signAttestation,
  signManifest,
  writeImageFile,
} from '@zbc-signer/image';
import { imageOf } from '../../../testkit/boards/slot-image.js';
import { runCommand } from '../../../testkit/process/cli.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';

const pico = findBoard('pico')!;
const [FLASH, INSTALLED, STAGED] = [0x10000000, 0x10010000, 0x10050000];
const uf2 = (...segments: Segment[]) => writeImageFile({ format: 'uf2', segments, start: [] }, pico);
const signed = imageOf({ counter: 3, bytes: 4400 });
const loader = Buffer.alloc(1000, 7);
const built: Record<string, Uint8Array> = {
  'signer.wasm': Buffer.from('module'),
  'pico.uf2': uf2({ address: FLASH, bytes: Buffer.alloc(700, 5) }),
  'pico-loader.bin': loader,
  'pico-slot.bin': signed.subarray(256, 256 + 4400),
};
const withSignature: Record<string, Uint8Array> = {
  'pico-update.uf2': uf2({ address: STAGED, bytes: signed }),
  'pico-loader.uf2': uf2({ address: FLASH, bytes: loader }, { address: INSTALLED, bytes: signed }),
  // Listed and signed by the release key, but no builder built its second payload.
  'pico-planted.uf2': uf2(
    { address: FLASH, bytes: loader },
    { address: INSTALLED, bytes: imageOf({ counter: 3, bytes: 4800 }) },
  ),
};
const describeFile = ([name, bytes]: [string, Uint8Array]): ReleasedFile => ({
  name,
  bytes: bytes.length,
  sha256: sha256Hex(bytes),
  ...(name.endsWith('uf2') && { board: 'pico' }),
});
const builtFiles = Object.entries(built).map(describeFile);
const release = {
  format: 'zbc-signer-release-1' as const,
  version: '1.0.0',
  commit: 'c0ffee',
  sources: { sha256: '', files: {} },
  toolchain: [],
};

const newKey = () => generateKeyPairSync('ed25519').privateKey;
const [releaseKey, alice, secondOfAlice, bob, carol, stranger] = Array.from({ length: 6 }, newKey) as [
  KeyObject,
  KeyObject,
  KeyObject,
  KeyObject,
  KeyObject,
  KeyObject,
];
const directory = openTestDirectory();
const at = (name: string) => join(directory, name);

/** The base64 line of a public key's PEM file. */
const lineOf = (key: KeyObject) => {
  const raw = Buffer.from(publicKeyHex(key), 'hex');
  return Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]).toString('base64');
};
const BUILDERS = `# known builders
alice ${lineOf(alice)}
alice ${publicKeyHex(secondOfAlice)} # a second computer
bob ${lineOf(bob)}

carol ${lineOf(carol)}
`;

beforeAll(() => {
  const files = { ...built, ...withSignature };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(at(name), bytes);
  const manifest = formatManifest({ ...release, files: Object.entries(files).map(describeFile) });
  writeFileSync(at('manifest.json'), manifest);
  writeFileSync(at('manifest.json.sig'), signManifest(manifest, releaseKey));
  writeFileSync(at('release.pub'), publicKeyHex(releaseKey));
});
beforeEach(() => {
  rmSync(at('attestations'), { recursive: true, force: true });
  mkdirSync(at('attestations'));
});

interface Changes {
  files?: ReleasedFile[];
  version?: string;
  commit?: string;
}
const attest = (key: KeyObject, { files = builtFiles, ...changes }: Changes = {}) =>
  Buffer.from(signAttestation({ ...release, ...changes }, files, key)).toString('utf8');
const put = (name: string, text: string) => writeFileSync(at(`attestations/${name}.json`), text);

async function verifyFile(file: string, builders = BUILDERS, ...words: string[]) {
  writeFileSync(at('builders'), builders);
  const given = ['firmware', 'verify', at(file), '--public-key', at('release.pub'), '--builders'];
  const { code, stdout, stderr } = await runCommand([...given, at('builders'), ...words]);
  return { code, text: stdout + stderr };
}
const countOf = async (file: string) => {
  const { code, text } = await verifyFile(file, BUILDERS, '--json');
  return [code, JSON.parse(text).builders];
};

test('every file whose payloads were built is counted, also if the release key signed it', async () => {
  put('alice', attest(alice));
  put('bob', attest(bob));
  put('stranger', attest(stranger));
  const count = { agree: ['alice', 'bob'], differ: [], missing: ['carol'], ignored: ['stranger.json'] };
  for (const file of [...Object.keys(built), 'pico-update.uf2', 'pico-loader.uf2'])
    expect([file, await countOf(file)]).toEqual([file, [0, count]]);
  expect((await verifyFile('signer.wasm')).text).toContain('2 of 3 known builders built these bytes');
});

test('a file that only the release key vouches for is refused, although it is in the signed manifest', async () => {
  put('alice', attest(alice));
  const { code, text } = await verifyFile('pico-planted.uf2');
  expect([code, text]).toEqual([11, expect.stringContaining('alice ATTESTS OTHER BYTES: this file')]);
});

test('a file that is not in the release is refused, also if only one byte follows', async () => {
  put('alice', attest(alice));
  writeFileSync(at('longer.uf2'), Buffer.concat([built['pico.uf2']!, Buffer.of(0)]));
  const { code, text } = await verifyFile('longer.uf2', BUILDERS, '--json');
  expect([code, JSON.parse(text).error.code]).toEqual([11, 'NOT_RELEASED']);
});

test('a builder with two keys and two attestations counts once', async () => {
  put('one', attest(alice));
  put('two', attest(secondOfAlice));
  put('again', attest(alice));
  const [code, { agree, missing }] = await countOf('signer.wasm');
  expect([code, agree, missing]).toEqual([0, ['alice'], ['bob', 'carol']]);
});

test.each<[string, Changes, string]>([
  [
    'other bytes of any file of the release',
    { files: builtFiles.map(file => (file.name === 'pico-slot.bin' ? { ...file, sha256: '00' } : file)) },
    'pico-slot.bin',
  ],
  [
    'these bytes and other bytes',
    { files: [...builtFiles, { ...builtFiles[0]!, sha256: '00' }] },
    'signer.wasm',
  ],
  ['another commit', { commit: 'decade' }, 'commit'],
  ['only other files', { files: builtFiles.slice(1) }, 'this file'],
])('a known builder who attests %s is named, and the file is refused', async (_, changes, what) => {
  for (const [name, key] of Object.entries({ alice, bob, carol })) put(name, attest(key));
  put('second', attest(bob, changes));
  const { code, text } = await verifyFile('signer.wasm');
  expect([code, text]).toEqual([11, expect.stringContaining(`bob ATTESTS OTHER BYTES: ${what}; 2 of 3`)]);
});

const edit = (text: string, change: (envelope: Record<string, unknown>) => void) => {
  const envelope = JSON.parse(text) as Record<string, unknown>;
  change(envelope);
  return JSON.stringify(envelope);
};
const reSign = (payload: string, type: string) => {
  const message = Buffer.from(`DSSEv1 ${type.length} ${type} ${Buffer.byteLength(payload)} ${payload}`);
  const signatures = [{ sig: sign(null, message, alice).toString('base64') }];
  return { payload: Buffer.from(payload).toString('base64'), payloadType: type, signatures };
};
const INTOTO = 'application/vnd.in-toto+json';
const own = attest(alice);
const payloadText = Buffer.from(JSON.parse(own).payload, 'base64').toString('utf8');

test.each<[string, string]>([
  ['of another version', attest(alice, { version: '0.9.0' })],
  [
    'with a changed statement',
    edit(own, each => {
      each.payload = Buffer.from(payloadText.replace('signer.wasm', 'signer-wasm')).toString('base64');
    }),
  ],
  [
    'with a key id that is not the signer',
    edit(attest(stranger), each => {
      each.signatures = [{ ...(each.signatures as object[])[0], keyid: keyHash(alice).toString('hex') }];
    }),
  ],
  [
    'with the payload alone signed',
    edit(own, each => {
      each.signatures = [{ sig: sign(null, Buffer.from(payloadText), alice).toString('base64') }];
    }),
  ],
  ['of another payload type', JSON.stringify(reSign(payloadText, 'text/plain'))],
  [
    'with another predicate',
    JSON.stringify(reSign(payloadText.replace('slsa.dev/provenance', 'slsa.dev/x'), INTOTO)),
  ],
  ['with no object in it', JSON.stringify(reSign('null', INTOTO))],
  ['that is empty', ''],
  ['that is null', 'null'],
  ['that is nested deeply', '['.repeat(500_000)],
  [
    'with signatures that are objects',
    edit(own, each => {
      each.signatures = [null, 1, { sig: { toString: 1 } }, { sig: '' }];
    }),
  ],
])('an attestation %s counts for nobody', async (_, text) => {
  put('a', text);
  const { code, text: said } = await verifyFile('signer.wasm');
  expect([code, said]).toEqual([11, expect.stringContaining('0 of 3 known builders built these bytes')]);
});

test('a release without attestations is refused, and a crowd or a giant of them too', async () => {
  expect((await verifyFile('signer.wasm')).code).toBe(11);
  put('\u001b[2Jname', attest(stranger));
  put('alice', attest(alice));
  const { code, text } = await verifyFile('signer.wasm');
  expect([code, text.includes('\u001b')]).toEqual([0, false]);
  put('giant', `${attest(bob)}${' '.repeat(1024 * 1024)}`);
  expect((await verifyFile('signer.wasm')).code).toBe(2);
  for (let count = 0; count < 100; count++) put(`${count}`, '');
  rmSync(at('attestations/giant.json'));
  expect((await verifyFile('signer.wasm')).code).toBe(2);
});

test.each<[string, string]>([
  ['dave', 'line 1 of the builders: expected a name and a public key'],
  [
    `alice ${lineOf(alice)}\nbob ${publicKeyHex(alice)}`,
    'line 2 of the builders: the key is already that of alice',
  ],
  ['dave MCowBQYDK2VwAyEA', 'line 1 of the builders: the key is not a public Ed25519 key'],
  [`d\u001be ${lineOf(alice)}`, 'line 1 of the builders: expected a name'],
])('a list of builders with a mistake is refused: %j', async (list, message) => {
  const { code, text } = await verifyFile('signer.wasm', list);
  expect([code, text]).toEqual([2, expect.stringContaining(message)]);
});

test('an attestation is an in-toto statement in a DSSE envelope', async () => {
  const { payload, payloadType, signatures } = JSON.parse(own);
  const message = Buffer.from(`DSSEv1 28 ${INTOTO} ${payloadText.length} ${payloadText}`);
  const signature = Buffer.from(signatures[0].sig, 'base64').toString('hex');
  expect(
    await verifyAsync(Buffer.from(signature, 'hex'), message, Buffer.from(publicKeyHex(alice), 'hex')),
  ).toBe(true);
  expect([payloadType, JSON.parse(Buffer.from(payload, 'base64').toString())]).toMatchObject([
    INTOTO,
    {
      _type: 'https://in-toto.io/Statement/v1',
      subject: builtFiles.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
      predicateType: 'https://slsa.dev/provenance/v1',
    },
  ]);
});
