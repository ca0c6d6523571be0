import { type KeyObject, sign, verify } from 'node:crypto';
import { ImageError } from './errors.js';
import {
  findReleased,
  payloadDigests,
  type ReleasedFile,
  type ReleaseManifest,
  sha256Hex,
} from './release.js';
import { keyHash, parsePublicKey } from './signing-key.js';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT = 'https://in-toto.io/Statement/v1';
const PROVENANCE = 'https://slsa.dev/provenance/v1';
const REPOSITORY = 'https://github.com/zbc-signer/zbc-signer';
/** An envelope has one signature per builder who signs the same statement. */
const MAX_SIGNATURES = 16;
const BUILDER_NAME = /^[\w.@+-]{1,64}$/;

/** A person or machine who builds releases, with the Ed25519 public keys that are known to be theirs. */
export interface Builder {
  name: string;
  keys: KeyObject[];
}

/** The known builders of a file, by what their attestations of its release say. */
export interface BuilderCount {
  /** The names of the builders who built these bytes from the release's commit. */
  agree: string[];
  /** Builders who built anything else for this version, with the differing files of the release, or `commit`. */
  differ: { name: string; what: string[] }[];
  /** The names of the builders without an attestation of this version. */
  missing: string[];
  /** The files that hold no attestation of this version by a known builder. */
  ignored: string[];
}

/**
 * Returns an in-toto statement (SLSA provenance 1.0) that these files were built from the commit, in a DSSE
 * envelope that the builder's Ed25519 key signs.
 */
export function signAttestation(
  { version, commit, toolchain }: Omit<ReleaseManifest, 'files'>,
  files: readonly ReleasedFile[],
  key: KeyObject,
): Uint8Array {
  const keyid = keyHash(key).toString('hex');
  const statement = {
    _type: STATEMENT,
    subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: PROVENANCE,
    predicate: {
      buildDefinition: {
        buildType: `${REPOSITORY}/blob/main/docs/RELEASES.md`,
        externalParameters: { version },
        internalParameters: { toolchain },
        resolvedDependencies:
          commit === null ? [] : [{ uri: `git+${REPOSITORY}.git`, digest: { gitCommit: commit } }],
      },
      runDetails: { builder: { id: `${REPOSITORY}#builder-${keyid}` } },
    },
  };
  const payload = Buffer.from(JSON.stringify(statement));
  const signature = sign(null, encodeForSigning(payload), key).toString('base64');
  const envelope = {
    payload: payload.toString('base64'),
    payloadType: PAYLOAD_TYPE,
    signatures: [{ keyid, sig: signature }],
  };
  return Buffer.from(`${JSON.stringify(envelope, null, 2)}\n`);
}

/** The pre-authentication encoding of DSSE. */
function encodeForSigning(payload: Uint8Array): Uint8Array {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `),
    payload,
  ]);
}

/**
 * Parses a list of known builders. Each line has a name and a public key: the base64 line of its PEM file, or
 * 64 hex digits. A builder with two keys has two lines; `#` begins a comment. Throws ImageError.
 */
export function readBuilders(text: string): Builder[] {
  const builders = new Map<string, KeyObject[]>();
  const owners = new Map<string, string>();
  for (const [at, line] of text.split('\n').entries()) {
    const [name, word, ...rest] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (name === '') continue;
    const fail = (why: string) => new ImageError('BAD_SIGNING_KEY', `line ${at + 1} of the builders: ${why}`);
    if (!BUILDER_NAME.test(name!) || word === undefined || rest.length > 0)
      throw fail('expected a name and a public key');
    const key = parseBuilderKey(word, fail);
    const owner = owners.get(keyHash(key).toString('hex')) ?? name!;
    if (owner !== name) throw fail(`the key is already that of ${owner}`);
    owners.set(keyHash(key).toString('hex'), owner);
    builders.set(owner, [...(builders.get(owner) ?? []), key]);
  }
  return [...builders].map(([name, keys]) => ({ name, keys }));
}

function parseBuilderKey(word: string, fail: (why: string) => ImageError): KeyObject {
  const pem = `-----BEGIN PUBLIC KEY-----\n${word}\n-----END PUBLIC KEY-----\n`;
  try {
    return parsePublicKey(/^[0-9a-f]{64}$/i.test(word) ? word : pem);
  } catch {
    throw fail('the key is not a public Ed25519 key in base64 or hex');
  }
}

/**
 * Counts the builders who attest that they built a file. A builder agrees with a file if one of their
 * attestations has the release's version and commit, no other digest for a file of the release, and the digest
 * of this file or of each of its payloads: the signature in an update is not a builder's work. A builder who
 * also attests anything else differs. An attestation counts only with a valid signature of a known builder.
 * Throws ImageError NOT_RELEASED.
 */
export function countBuilders(
  builders: readonly Builder[],
  attestations: readonly { name: string; bytes: Uint8Array }[],
  file: Uint8Array,
  manifest: ReleaseManifest,
): BuilderCount {
  const payloads = payloadDigests(file, findReleased(file, manifest));
  const found = attestations.map(({ name, bytes }) => {
    const { signers, statement } = readAttestation(bytes, builders);
    return { name, statement, signers: statement?.version === manifest.version ? signers : [] };
  });
  const results = builders.map(({ name }) => {
    const own = found.filter(({ signers }) => signers.includes(name)).map(({ statement }) => statement!);
    const what = own.flatMap(statement => differencesOf(statement, sha256Hex(file), payloads, manifest));
    return { name, what: [...new Set(what)], isMissing: own.length === 0 };
  });
  const known = results.filter(({ isMissing }) => !isMissing);
  return {
    agree: known.filter(({ what }) => what.length === 0).map(({ name }) => name),
    differ: known.filter(({ what }) => what.length > 0).map(({ name, what }) => ({ name, what })),
    missing: results.filter(({ isMissing }) => isMissing).map(({ name }) => name),
    ignored: found.filter(({ signers }) => signers.length === 0).map(({ name }) => name),
  };
}

interface Statement {
  version: unknown;
  commit: unknown;
  subject: { name: unknown; sha256: unknown }[];
}

/** Returns in what a statement differs from the release; `this file` if it lacks the digests. */
function differencesOf(
  { commit, subject }: Statement,
  digest: string,
  payloads: readonly string[],
  manifest: ReleaseManifest,
): string[] {
  const digests = subject.map(({ sha256 }) => sha256);
  const isBuilt =
    digests.includes(digest) || (payloads.length > 0 && payloads.every(each => digests.includes(each)));
  const isOther = ({ name, sha256 }: ReleasedFile) =>
    subject.some(built => built.name === name && built.sha256 !== sha256);
  return [
    ...(commit === manifest.commit ? [] : ['commit']),
    ...manifest.files.filter(isOther).map(({ name }) => name),
    ...(isBuilt ? [] : ['this file']),
  ];
}

/** Returns the known builders whose signatures are valid, and the statement; nothing of a file that is malformed. */
function readAttestation(
  bytes: Uint8Array,
  builders: readonly Builder[],
): { signers: string[]; statement?: Statement } {
  const { payload, payloadType, signatures } = parseObject(bytes);
  if (payloadType !== PAYLOAD_TYPE || typeof payload !== 'string') return { signers: [] };
  const decoded = Buffer.from(payload, 'base64');
  const signed = encodeForSigning(decoded);
  const given = listOf(signatures)
    .slice(0, MAX_SIGNATURES)
    .flatMap(({ sig }) => (typeof sig === 'string' ? [Buffer.from(sig, 'base64')] : []));
  const isSigner = ({ keys }: Builder) =>
    keys.some(key => given.some(each => verify(null, signed, key, each)));
  const { _type, predicateType, predicate, subject } = parseObject(decoded);
  if (_type !== STATEMENT || predicateType !== PROVENANCE) return { signers: [] };
  const { externalParameters, resolvedDependencies } = fieldsOf(fieldsOf(predicate).buildDefinition);
  return {
    signers: builders.filter(isSigner).map(({ name }) => name),
    statement: {
      version: fieldsOf(externalParameters).version,
      commit: fieldsOf(listOf(resolvedDependencies)[0]?.digest).gitCommit ?? null,
      subject: listOf(subject).map(({ name, digest }) => ({ name, sha256: fieldsOf(digest).sha256 })),
    },
  };
}

function parseObject(bytes: Uint8Array): Record<string, unknown> {
  try {
    return fieldsOf(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return {};
  }
}

const fieldsOf = (value: unknown) => Object(value) as Record<string, unknown>;
const listOf = (value: unknown) => (Array.isArray(value) ? value.map(fieldsOf) : []);
