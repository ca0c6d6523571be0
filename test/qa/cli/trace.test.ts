import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Emulator, parseTrace } from '@zbc-signer/emulator';
import { CONFIRM_ADDRESS } from '../../../testkit/device/confirmed-account.js';
import { runCli } from '../../../testkit/process/cli.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { chromiumOfFile } from '../chromium-of-file.js';

const browser = chromiumOfFile();
const directory = openTestDirectory();

test('the page of a failed test shows the expectation and every step, without a network or a script', async () => {
  process.env.ZBC_SIGNER_TRACE_DIRECTORY = directory;
  const emulator = await Emulator.start();
  delete process.env.ZBC_SIGNER_TRACE_DIRECTORY;
  const confirmed = emulator.exchange(CONFIRM_ADDRESS);
  await emulator.expectSnapshots(join(directory, 'address'), { ci: false, decide: 'approve' });
  await confirmed;
  const menu = join(directory, 'address', '00002.png');
  writeFileSync(menu, readFileSync(join(directory, 'address', '00000.png')));
  const again = emulator.exchange(CONFIRM_ADDRESS);
  const options = { ci: true, decide: 'approve' } as const;
  await expect(emulator.expectSnapshots(join(directory, 'address'), options)).rejects.toThrow(
    'pixels differ',
  );
  await again;
  const file = emulator.keepTrace()!;
  await emulator.stop();
  const html = join(directory, 'a.html');
  expect(await runCli(['trace', 'open', file, '--html', html])).toMatchObject({ code: 0 });

  const page = await (await browser().newContext({ offline: true })).newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  page.on('request', request => requests.push(request.url()));
  await page.goto(pathToFileURL(html).href);
  expect(await page.title()).toMatch(/^Failed: .*trace\.test\.[jt]s/);
  const { steps } = parseTrace(readFileSync(file, 'utf8'));
  expect(await page.locator('tbody tr').count()).toBe(steps.length + 1);
  const failed = page.locator('tr.failure', { hasText: 'is ready' });
  await page.locator('section.failure', { hasText: /00002.png.*pixels differ/s }).waitFor();
  expect(await failed.getAttribute('id')).toBe(`step-${steps.length}`);
  await failed.getByText('9000 OK:').waitFor();
  for (const picture of await page.locator('section.failure img').all()) {
    expect(await picture.evaluate(image => Reflect.get(image, 'naturalWidth'))).toBe(128);
  }
  expect(complaints).toEqual([]);
  expect(requests.filter(url => !/^(file|data):/.test(url))).toEqual([]);
});
