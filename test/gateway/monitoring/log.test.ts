import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../testkit/repository/repository.js';

const LOG = join(root, 'gateway/dist/monitoring/log.js');
/** A program that logs 24 MB of lines to a full disk. */
const SCRIPT = `
  import { openLog } from ${JSON.stringify(LOG)};
  const { logger, options } = openLog('info');
  let dropped = 0;
  options.stream.on('drop', lines => (dropped += lines.split('\\n').length - 1));
  for (let line = 0; line < 12000; line += 1) {
    logger.info('x'.repeat(2000));
    if (line % 1000 === 0) await new Promise(setImmediate);
  }
  process.stdout.write(String(dropped));
`;

test('an unexpected failure is logged with its stack, and a fault in a file only with its message', async () => {
  const script = `
    import { openLog } from ${JSON.stringify(LOG)};
    import { ConfigError } from ${JSON.stringify(join(root, 'gateway/dist/base/errors.js'))};
    const { onError, close } = openLog('info');
    onError(new ConfigError('ALLOWLIST_UNUSABLE', 'state_file: /x: was gone'));
    onError(new Error('a fault'));
    await close();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  const lines = (await child.stderr.toArray())
    .join('')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const [file, fault] = lines;
  expect([file.msg, file.error]).toEqual([
    'state_file: /x: was gone',
    { name: 'ConfigError', message: file.msg },
  ]);
  expect([fault.msg, fault.error.stack]).toEqual(['a fault', expect.stringContaining('at ')]);
});

test('lines that cannot be written are dropped above a limit, and the process can still end', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    stdio: ['ignore', 'pipe', full],
  });
  closeSync(full);
  let dropped = '';
  child.stdout!.on('data', piece => {
    dropped += piece;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(Number(dropped)).toBeGreaterThan(1000);
  expect(Number(dropped)).toBeLessThan(8000);
});
