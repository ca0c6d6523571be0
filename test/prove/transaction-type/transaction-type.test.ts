import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rowsOf, sectionOf } from '../../../testkit/repository/documents.js';
import { packages, root } from '../../../testkit/repository/repository.js';
import { copySources } from '../../../testkit/repository/source-copy.js';
import { compileAssembly } from '../../../tools/build/compile-assembly.js';
import { LIQUID_PAYMENT } from './liquid-payment.js';

const NAME = 'liquid-payment';
const SCRIPT = 'cli/pay.js';

/** Pays with the new command in the copy, and shows random transactions of the new type on the device. */
const PAY = `
import { execFile } from 'node:child_process';
import { startDevnet } from '@zbc-signer/devnet';
import { Emulator, startEmulatorServer } from '@zbc-signer/emulator';
import { expectCase, validTransactions } from '@zbc-signer/emulator/arbitrary';
import fc from 'fast-check';

const [devnet, device] = await Promise.all([
  startDevnet({ blockTimeMs: 100, namedChain: true }),
  startEmulatorServer({ apiPort: 'auto', apduPort: 0, ledgerPort: 0 }),
]);
const run = (...words) =>
  new Promise((resolve, reject) =>
    execFile(
      process.execPath,
      ['cli/dist/main.js', ...words, '--json'],
      { env: { ...process.env, ZBC_SIGNER_API: devnet.url, ZBC_SIGNER_DEVICE: device.api } },
      (error, stdout, stderr) => (error ? reject(new Error(stderr + stdout)) : resolve(JSON.parse(stdout))),
    ),
  );
await run('faucet');
const { address } = await run('address', '--account', '1');
const paying = run('liquid-payment', '--to', address, '--amount', '1.5', '--minutes', '90', '--fee', '0.1');
await Promise.race([device.emulator.waitForReview(), paying]);
const review = await device.emulator.review();
await device.emulator.approve();
const paid = await paying;
let listed;
// The archival node follows the full one.
while (listed === undefined) {
  const { entries } = await run('history');
  listed = entries.find(entry => entry.transaction_hash === paid.transaction_hash);
}
await Promise.all([device.close(), devnet.stop()]);

const cases = fc.sample(validTransactions(), { numRuns: 300, seed: 1 });
const emulator = await Emulator.start();
let own = 0;
let linked = 0;
for (const each of cases) {
  own += each.request.transaction.type === 6;
  linked += each.request.escrowed?.type === 6;
  await expectCase(emulator, each);
}
emulator.stop();
process.stdout.write(JSON.stringify({ address, review, paid, listed, own, linked }));
`;

const copy = mkdtempSync(join(tmpdir(), 'transaction-type-'));
afterAll(() => rmSync(copy, { recursive: true }));

test('adding a fourth type needs changes only in the files that CONTRIBUTING.md lists', async () => {
  const files = rowsOf(sectionOf('CONTRIBUTING.md', '## Adding a transaction type')).map(([file]) =>
    file!.replaceAll('`', '').replace('NAME', NAME),
  );
  expect(LIQUID_PAYMENT.map(([file]) => file).filter(file => !files.includes(file))).toEqual([]);

  copySources(copy);
  // Unchanged packages are not compiled again.
  for (const name of packages)
    cpSync(join(root, name, 'dist'), join(copy, name, 'dist'), { recursive: true, preserveTimestamps: true });
  for (const [file, ...edits] of LIQUID_PAYMENT) {
    const path = join(copy, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, edits.reduce(change, existsSync(path) ? readFileSync(path, 'utf8') : ''));
  }
  const run = (...words: string[]) =>
    execFileSync(process.execPath, words, { cwd: copy, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  run(join(root, 'node_modules/typescript/bin/tsc'), '-b', 'cli');
  const { wasm } = await compileAssembly(copy, 'release');
  writeFileSync(join(copy, 'emulator/dist/zbc-signer.wasm'), wasm);
  writeFileSync(join(copy, SCRIPT), PAY);
  const { address, review, paid, listed, own, linked } = JSON.parse(run(SCRIPT));

  expect(review).toEqual([
    ['Network', 'ZBC Devnet'],
    ['Type', 'Liquid payment'],
    ['Amount', '1.5 ZBC'],
    ['Recipient', address],
    ['Fee', '0.1 ZBC'],
    ['Total leaving', '1.6 ZBC'],
    ['Paid within', '90 minutes'],
  ]);
  expect(paid).toMatchObject({ transaction_type: 6, amount: 150_000_000, minutes: 90 });
  expect(listed).toMatchObject({ kind: 'sent', amount: -150_000_000, counterparty: address });
  expect(own).toBeGreaterThan(30);
  expect(linked).toBeGreaterThan(10);
}, 600_000);

function change(text: string, edit: string | readonly [string, string]): string {
  if (typeof edit === 'string') return edit;
  const parts = text.split(edit[0]);
  if (parts.length !== 2) throw new Error(`found ${parts.length - 1} times, not once: ${edit[0]}`);
  return parts.join(edit[1]);
}
