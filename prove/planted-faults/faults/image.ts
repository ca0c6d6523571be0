import type { Module } from '../fault.js';

/** Faults in the count of the builders who attest a file. */
export const image: Module = {
  name: 'image',
  guards: 'docs/RELEASES.md#attestations',
  directory: 'image/src',
  elsewhere: 'make test-node: the count is tested through the command line; .ci/run runs both.',
  tests: ['cli/commands/firmware-verify'],
  faults: {
    'attestation.ts': {
      'counts an attestation that nobody signed': ['verify(null, signed, key, each)', 'each.length === 64'],
      'takes the key id of an attestation for its signature': [
        'signers: builders.filter(isSigner)',
        'signers: builders.filter(each => isSigner(each) || each.keys.some(key => JSON.stringify(signatures).includes(keyHash(key).toString("hex"))))',
      ],
      'compares the digest of the verified file alone': [
        '...manifest.files.filter(isOther)',
        '...manifest.files.slice(99).filter(isOther)',
      ],
      'accepts a file in the manifest that no builder built': [
        '...(isBuilt ?',
        '...(isBuilt || digest.length > 0 ?',
      ],
      'accepts an update of which one payload was built': ['payloads.every(each', 'payloads.some(each'],
      'lets one attestation hide another of the same builder': ['own.flatMap(', 'own.slice(0, 1).flatMap('],
      'counts a builder with two keys twice': [
        'builders.set(owner, [...(builders.get(owner) ?? []), key]);',
        'builders.set(builders.has(owner) ? owner + 2 : owner, [key]);',
      ],
      'counts one key under two names': ['if (owner !== name)', 'if (owner.length > 64)'],
      'counts the attestation of another version': [
        'statement?.version === manifest.version ? signers : []',
        'statement ? signers : []',
      ],
      'ignores the commit that a builder built': [
        'commit === manifest.commit',
        'typeof commit === typeof manifest.commit',
      ],
      'counts a signature of another kind of document': [
        '_type !== STATEMENT || predicateType !== PROVENANCE',
        '_type !== STATEMENT',
      ],
    },
  },
};
