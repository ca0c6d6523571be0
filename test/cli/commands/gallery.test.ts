import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { payment, startPayment } from '../../../testkit/device/payment.js';
import { runCommand } from '../../../testkit/process/cli.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { root } from '../../../testkit/repository/repository.js';
import { contacts, messages, refusals, transactions } from '../../../testkit/repository/vectors.js';

const directory = openTestDirectory();

const out = () => join(directory, 'out.html');
const readPage = () => readFile(out(), 'utf8');

async function drawCases(cases: unknown): Promise<{ code: number | null; stderr: string; stdout: string }> {
  const file = join(directory, 'cases.json');
  await writeFile(file, JSON.stringify({ cases }));
  return runCommand(['gallery', file, '-o', out(), '--json']);
}

const plain = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
const articlesOf = (page: string) => page.split('<article ').slice(1);
const alternativesOf = (article: string) =>
  [...article.matchAll(/ alt="([^"]*)"/g)].map(match => plain(match[1]!).split('\n'));

const litPixels = (png: Uint8Array) => {
  const { width, height, data } = PNG.sync.read(Buffer.from(png));
  return Array.from({ length: width * height }, (_, pixel) => data[4 * pixel]! > 0x80).join();
};

const VECTORS = ['transactions', 'messages', 'refusals'].map(name => join(root, `vectors/${name}.json`));

test('draws every item of every review, and every refusal', async () => {
  const { code, stdout } = await runCommand(['gallery', ...VECTORS, '-o', out(), '--json']);
  const signed = messages.cases.filter(({ expect: expected }) => 'signature' in expected).length;
  const counts = {
    cases: transactions.cases.length + messages.cases.length + refusals.cases.length,
    reviews: transactions.cases.length + signed,
    refusals: refusals.cases.length + messages.cases.length - signed,
  };
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ file: out(), ...counts });
  const page = await readPage();
  const articles = articlesOf(page);
  expect(page.length).toBeLessThan(1_000_000);
  for (const [index, { name, expect: expected }] of transactions.cases.entries()) {
    expect(articles[index]).toContain(name);
    const shown = alternativesOf(articles[index]!).flat().join('');
    for (const [title, value] of expected.review) {
      expect(shown).toContain(title);
      if (value.length < 60) expect(shown).toContain(value.replaceAll('\n', ''));
    }
    expect(alternativesOf(articles[index]!).at(-1)).toEqual(['Sign transaction', 'approve: press both']);
  }
  const refused = articles.slice(-refusals.cases.length);
  expect(refused[0]).toContain(
    'the device refused the transaction: the bytes end early (message length, byte ',
  );
  expect(
    refused.every(
      article => !article.includes('<img') && article.includes('Nothing was shown, nothing was signed.'),
    ),
  ).toBe(true);
});

test('draws each review that the commands of a case open', async () => {
  const shownOnce = contacts.cases.filter(
    ({ settings, steps }) => !settings && steps.filter(({ review }) => review).length === 1,
  );
  const { code } = await drawCases(shownOnce);
  expect(code).toBe(0);
  const articles = articlesOf(await readPage());
  for (const [index, { steps }] of shownOnce.entries()) {
    const shown = alternativesOf(articles[index]!).flat().join('');
    for (const [title, value] of steps.find(({ review }) => review)!.review!) {
      expect(shown).toContain(title);
      if (value.length < 60) expect(shown).toContain(value);
    }
  }
});

test('draws the same pixels as the emulator shows', async () => {
  await drawCases([payment]);
  const pictures = [...(await readPage()).matchAll(/base64,([^"]+)"/g)].map(match => match[1]!);
  const { emulator, reply } = await startPayment();
  for (const picture of pictures) {
    expect(litPixels(Buffer.from(picture, 'base64'))).toEqual(litPixels(emulator.png()));
    emulator.press('right');
  }
  expect(emulator.texts()[0]).toBe('Reject transaction');
  await emulator.reject();
  await reply;
});

test('writes a page without scripts or external resources, which is the same at every run', async () => {
  await drawCases(transactions.cases.slice(0, 3));
  const page = await readPage();
  expect(page).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src (&#39;|')none/);
  expect(page).not.toMatch(/<script|<link|<iframe|javascript:| on[a-z]+="|https?:/i);
  const sources = [...page.matchAll(/ src="([^"]{0,22})/g)].map(match => match[1]);
  expect(new Set(sources)).toEqual(new Set(['data:image/png;base64,']));
  await drawCases(transactions.cases.slice(0, 3));
  expect(await readPage()).toBe(page);
});

test('escapes hostile names and messages', async () => {
  const hostile = '"><script>alert(1)</script>\u202egnp.exe\u0007\u200b';
  const message = Buffer.from('<img src=x onerror="alert(1)">&amp;').toString('hex');
  await drawCases([
    { ...payment, name: hostile },
    { name: hostile, account: 0, message },
  ]);
  const page = await readPage();
  expect(page).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;gnp.exe');
  expect(page).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;amp;');
  expect(page).not.toMatch(/<script|<img src=x|[\u202e\u200b]/);
  expect(page).not.toContain('\u0007');
  expect(alternativesOf(articlesOf(page)[1]!).flat().join('')).toContain(
    '<img src=x onerror="alert(1)">&amp;',
  );
});

test.each([
  ['{', 'is not JSON'],
  ['[]', 'must have a list "cases"'],
  ['{"cases":[{"account":-1,"tx":"00"}]}', 'case 1: account must be a whole number from 0 to 2147483647'],
  ['{"cases":[{"account":0,"tx":"00"}]}', 'case 1: genesis must be hex'],
  ['{"cases":[{"account":0,"message":"0g"}]}', 'case 1: message is not hex'],
  [
    '{"cases":[{"account":0,"message":"61"},{"account":0,"genesis":"","tx":"","token":{"decimals":"2"}}]}',
    'case 2: token',
  ],
])('rejects the file %s: %s', async (text, complaint) => {
  const file = join(directory, 'bad.json');
  await writeFile(file, text);
  const { code, stderr } = await runCommand(['gallery', file, '-o', out()]);
  expect(code).toBe(2);
  expect(stderr).toContain(complaint);
});

test('reports files that cannot be read or written', async () => {
  const missing = await runCommand(['gallery', join(directory, 'none.json')]);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('no such file')]);
  const vectors = join(root, 'vectors/messages.json');
  const unwritable = await runCommand(['gallery', vectors, '-o', join(directory, 'no/such/out.html')]);
  expect([unwritable.code, unwritable.stderr]).toEqual([2, expect.stringContaining('cannot write')]);
});
