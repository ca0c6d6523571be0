// harness-data <directory>: generates headers with the repository's data for the C harness.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedFromMnemonic, TEST_MNEMONIC } from '@zbc-signer/chain';
import { NETWORKS } from '../read-back/check.js';

const bytesInC = (bytes: Uint8Array) => `{${[...bytes].join(', ')}}`;

function networksHeader(): string {
  const rows = [...NETWORKS.keys()].map(genesis => `  ${bytesInC(Buffer.from(genesis, 'hex'))},`);
  return ['static const unsigned char networks[][32] = {', ...rows, '};', ''].join('\n');
}

const [directory] = process.argv.slice(2) as [string];
writeFileSync(join(directory, 'networks.h'), networksHeader());
writeFileSync(
  join(directory, 'test-seed.h'),
  `static const unsigned char test_seed[64] = ${bytesInC(seedFromMnemonic(TEST_MNEMONIC))};\n`,
);
