import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toHex } from '@zbc-signer/chain';
import { formatDocument, type SignedTransaction } from '@zbc-signer/host';
import { FileJournal } from '@zbc-signer/host/node';
import { SEND } from '../../../../testkit/gateway/flow-fixture.js';
import { describeSharedJournal, madePayment } from '../../../../testkit/gateway/shared-journal.js';
import { spawnScript } from '../../../../testkit/process/child.js';
import { root } from '../../../../testkit/repository/repository.js';

const HASH = SEND.expect.tx_hash;
const ENTRY = new RegExp(`^${HASH}-[0-9a-f]{16}\\.json$`);

let directory: string;
let journal: FileJournal;
let payment: SignedTransaction;

beforeAll(async () => {
  payment = await madePayment();
});
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'journal-')), 'payments');
  journal = new FileJournal(directory);
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }));

describeSharedJournal(() => new FileJournal(directory));

/** Returns the path of the only entry's file. */
function entryPath(): string {
  const [name, ...others] = readdirSync(directory);
  expect([name, others]).toEqual([expect.stringMatching(ENTRY), []]);
  return join(directory, name!);
}

test('an empty journal has no directory until its first entry is written', async () => {
  expect(await journal.pending()).toEqual([]);
  expect(() => statSync(directory)).toThrow('ENOENT');
});

test('another process of the same user, and no other user, can read a payment', async () => {
  await journal.signed(payment);
  const [kept] = await new FileJournal(directory).pending();
  expect(formatDocument(kept!)).toBe(formatDocument({ ...payment, sent: 'maybe' }));
  expect(statSync(entryPath()).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('a payment whose process has ended is not in flight', async () => {
  const script = `
    import { FileJournal, parseSignedDocument } from '@zbc-signer/host/node';
    await new FileJournal(process.argv[1]).signed(parseSignedDocument(process.argv[2]));
    process.kill(process.pid, 'SIGKILL');`;
  const words = ['--input-type=module', '-e', script, directory, formatDocument(payment)];
  expect(spawnSync(process.execPath, words, { cwd: root }).signal).toBe('SIGKILL');
  expect(await journal.pending()).toMatchObject([{ isInFlight: false, sent: 'maybe' }]);
});

test('a payment that another process wrote ten minutes ago is not in flight, because its process id may be reused', async () => {
  await journal.signed(payment);
  const earlier = new Date(Date.now() - 601_000);
  utimesSync(entryPath(), earlier, earlier);
  expect(await journal.pending()).toMatchObject([{ isInFlight: true }]);
  editSender(sender => ({ ...sender, pid: process.ppid, began: beganOf(process.ppid), nonce: '0' }));
  expect(await journal.pending()).toMatchObject([{ isInFlight: true }]);
  utimesSync(entryPath(), earlier, earlier);
  expect(await journal.pending()).toMatchObject([{ isInFlight: false }]);
});

test('a program that was paused does not end a payment that another program has sent meanwhile', async () => {
  await journal.signed(payment);
  // Another program assumes that this one no longer runs, and sends the payment.
  editSender(sender => ({ ...sender, pid: 2 ** 22 + 1, nonce: '0' }));
  const other = new FileJournal(directory);
  await other.signed(payment);
  await other.ended(payment.transactionHash, 'unknown');
  await journal.ended(payment.transactionHash, 'notSent');
  expect(await journal.pending()).toMatchObject([{ isInFlight: false, sent: 'maybe' }]);
});

test('repeated tries to settle a payment do not leave further entries', async () => {
  for (const end of ['unknown', 'unknown', 'accepted', 'accepted', 'unknown'] as const) {
    await journal.signed(payment);
    await journal.ended(payment.transactionHash, end);
  }
  expect(readdirSync(directory)).toHaveLength(2);
  expect(await journal.pending()).toMatchObject([{ sent: 'yes', isInFlight: false }]);
});

test('a payment whose end cannot be written is no longer in flight for this process', async () => {
  await journal.signed(payment);
  const path = entryPath();
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, '');
  await expect(journal.ended(payment.transactionHash, 'unknown')).rejects.toMatchObject({
    code: 'JOURNAL_FAILED',
  });
  writeFileSync(path, text);
  expect(await journal.pending()).toMatchObject([{ isInFlight: false }]);
});

test('a payment whose journal cannot be read at its end is no longer in flight for this process', async () => {
  await journal.signed(payment);
  renameSync(directory, `${directory}.moved`);
  writeFileSync(directory, '');
  await expect(journal.ended(payment.transactionHash, 'unknown')).rejects.toMatchObject({
    code: 'JOURNAL_FAILED',
  });
  rmSync(directory);
  renameSync(`${directory}.moved`, directory);
  expect(await journal.pending()).toMatchObject([{ isInFlight: false }]);
});

test('half-written files, foreign files and reservations are not read as payments', async () => {
  await journal.signed(payment);
  await journal.reserve(payment, new Set());
  writeFileSync(join(directory, `${'0'.repeat(64)}.json.1.00.part`), '{"docu');
  writeFileSync(join(directory, 'notes.txt'), 'mine');
  expect(await journal.pending()).toHaveLength(1);
});

test.each<[string, (text: string) => string]>([
  ['empty', () => ''],
  ['cut short', text => text.slice(0, 200)],
  ['of another version', text => text.replace('\\"version\\":1', '\\"version\\":9')],
  ['with another signature', text => text.replace(SEND.expect.signature, 'f'.repeat(128))],
  ['too long', text => text + ' '.repeat(200_000)],
  ['of another hash', text => text],
])('an entry that is %s is reported by its name, and never ignored', async (what, damage) => {
  await journal.signed(payment);
  const path = entryPath();
  const earlierHash = what === 'of another hash' ? 'a'.repeat(64) : HASH;
  const damagedPath = path.replace(HASH, earlierHash);
  writeFileSync(damagedPath, damage(readFileSync(path, 'utf8')));
  await expect(journal.pending()).rejects.toMatchObject({
    message: expect.stringContaining(`${damagedPath} is damaged`),
    facts: { earlierHash, sent: 'maybe' },
  });
});

test('an entry that this user may not read is not called damaged', async () => {
  await journal.signed(payment);
  const path = entryPath();
  for (const [name, mode] of [
    [join(directory, '..'), 0o755],
    [directory, 0o755],
    [path, 0],
  ] as const) {
    chmodSync(name, mode);
  }
  const isRoot = process.geteuid?.() === 0;
  const { mode } = statSync(tmpdir());
  if (isRoot) {
    chmodSync(tmpdir(), mode | 0o111);
    process.seteuid!(65_534);
  }
  const failure = await journal.pending().catch((error: unknown) => error);
  if (isRoot) {
    process.seteuid!(0);
    chmodSync(tmpdir(), mode);
  }
  expect(failure).toMatchObject({
    code: 'JOURNAL_FAILED',
    message: `${path} cannot be read: EACCES`,
    facts: { earlierHash: HASH, sent: 'maybe' },
  });
});

test('a process with a low limit of open files reads a journal with many entries', async () => {
  await journal.signed(payment);
  const path = entryPath();
  for (let at = 0; at < 400; at += 1) {
    copyFileSync(path, join(directory, `${HASH}-${`${at}`.padStart(16, '0')}.json`));
  }
  const script =
    "import { FileJournal } from '@zbc-signer/host/node';" +
    'console.log((await new FileJournal(process.argv[1]).pending()).length);';
  const words = [process.execPath, '--input-type=module', '-e', script, directory];
  const { stdout, stderr } = spawnSync('bash', ['-c', 'ulimit -n 256; exec "$0" "$@"', ...words], {
    cwd: root,
  });
  expect([`${stdout}`, `${stderr}`]).toEqual(['1\n', '']);
});

test('a journal that another program creates at this moment can be read', async () => {
  const pending = journal.pending();
  // Until this function returns, the journal cannot see that its first attempt to read has failed.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  mkdirSync(directory);
  expect(await pending).toEqual([]);
});

test('a link that leads nowhere is an error, not an empty journal', async () => {
  symlinkSync('/nowhere/payments', directory);
  await expect(journal.pending()).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
});

test('signed() rejects if the payment cannot be written to the disk', async () => {
  writeFileSync(join(directory, '..', 'file'), '');
  await expect(new FileJournal(join(directory, '..', 'file/payments')).signed(payment)).rejects.toThrow();
  expect(readdirSync(join(directory, '..'))).toEqual(['file']);
});

test('sixteen processes at once get sixteen timestamps', async () => {
  const script = `
    import { FileJournal, parseSignedDocument } from '@zbc-signer/host/node';
    const payment = parseSignedDocument(process.argv[2]);
    const journal = new FileJournal(process.argv[1]);
    const taken = await Promise.all([1, 2, 3, 4].map(() => journal.reserve(payment, new Set())));
    console.log(taken.join('\\n'));`;
  const words = ['--input-type=module', '-e', script, directory, formatDocument(payment)];
  const outputs = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const child = spawnScript(words[0]!, words.slice(1));
      return (await child.stdout!.toArray()).join('');
    }),
  );
  const taken = outputs.flatMap(output => output.trim().split('\n'));
  expect(new Set(taken).size).toBe(16);
});

/** Changes the entry's data about the process that sends the payment. */
function editSender(change: (sender: Record<string, unknown>) => object): void {
  const path = entryPath();
  const entry = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...entry, sender: change(entry.sender) }));
}

test.each<[string, (sender: Record<string, unknown>) => object]>([
  ['had the process id of this process', sender => ({ ...sender, began: '1', nonce: '0' })],
  [
    'had the process id of a process that began later',
    sender => ({ ...sender, pid: process.ppid, began: '1', nonce: '0' }),
  ],
])('a payment whose process %s is not in flight', async (_what, change) => {
  await journal.signed(payment);
  editSender(change);
  expect(await journal.pending()).toMatchObject([{ isInFlight: false }]);
});

test.each<[string, (sender: Record<string, unknown>) => object]>([
  ['that still runs', sender => ({ ...sender, pid: process.ppid, began: beganOf(process.ppid), nonce: '0' })],
  ['of which this is another thread', sender => ({ ...sender, nonce: '0' })],
  ['of another container', sender => ({ ...sender, namespace: 'pid:[1]', began: '1', nonce: '0' })],
])('a payment of a process %s is in flight', async (_what, change) => {
  await journal.signed(payment);
  editSender(change);
  expect(await journal.pending()).toMatchObject([{ isInFlight: true }]);
});

function beganOf(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')')).split(' ')[20];
}

test.each<[string, (path: string) => unknown]>([
  ['a directory', path => mkdirSync(path)],
  ['a link to a device', path => symlinkSync('/dev/zero', path)],
  ['a link to nothing', path => symlinkSync('/nowhere', path)],
  ['a pipe', path => execFileSync('mkfifo', [path])],
])('an entry that is %s is reported at once by its name, and not read', async (_what, make) => {
  await journal.signed(payment);
  const name = `${'0'.repeat(64)}-${'0'.repeat(16)}.json`;
  make(join(directory, name));
  await expect(journal.pending()).rejects.toThrow(`${name} is damaged`);
});

test.each<[string, (path: string) => unknown]>([
  ['a link', path => symlinkSync('/nowhere', path)],
  ['a pipe', path => execFileSync('mkfifo', [path])],
])('hold() rejects without waiting if the file that marks a held payment is %s', async (_what, make) => {
  await journal.signed(payment);
  make(join(directory, `${toHex(payment.transactionHash)}.held`));
  await expect(journal.hold(payment.transactionHash)).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
});

test('an error of the file system is reported as JOURNAL_FAILED with the directory', async () => {
  const file = join(directory, '..', 'file');
  writeFileSync(file, '');
  const failed = { code: 'JOURNAL_FAILED', message: expect.stringContaining(file) };
  const blocked = new FileJournal(file);
  await expect(blocked.pending()).rejects.toMatchObject(failed);
  await expect(blocked.signed(payment)).rejects.toMatchObject(failed);
  await expect(blocked.ended(payment.transactionHash, 'unknown')).rejects.toMatchObject(failed);
  await expect(blocked.reserve(payment, new Set())).rejects.toMatchObject(failed);
});

test('a directory that cannot be read is an error, not an empty journal', async () => {
  await journal.signed(payment);
  chmodSync(directory, 0);
  if (process.getuid?.() === 0) return;
  await expect(journal.pending()).rejects.toThrow('EACCES');
});
