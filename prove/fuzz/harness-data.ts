// harness-data <directory>: generates headers with the repository's data for the C harness.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedFromMnemonic, TEST_MNEMONIC } from '@zbc-signer/chain';

interface Network {
  name: string;
  genesis_hash: string;
}

const bytesInC = (bytes: Uint8Array) => `{${[...bytes].join(', ')}}`;

function networksHeader(): string {
  const networks = JSON.parse(readFileSync('firmware/networks.json', 'utf8')) as Network[];
  const rows = networks.map(
    ({ name, genesis_hash }) => `  {${JSON.stringify(name)}, ${bytesInC(Buffer.from(genesis_hash, 'hex'))}},`,
  );
  return [
    'static const struct { const char *name; unsigned char genesis[32]; } networks[] = {',
    ...rows,
    '};',
    '',
  ].join('\n');
}

const [directory] = process.argv.slice(2) as [string];
writeFileSync(join(directory, 'networks.h'), networksHeader());
writeFileSync(
  join(directory, 'test-seed.h'),
  `static const unsigned char test_seed[64] = ${bytesInC(seedFromMnemonic(TEST_MNEMONIC))};\n`,
);
