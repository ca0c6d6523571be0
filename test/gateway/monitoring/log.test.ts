import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../testkit/repository/repository.js';

const LOG = join(root, 'gateway/dist/monitoring/log.js');
/** 24 MB of lines on a disk that is full. */
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

it('lines that cannot be written are dropped past a bound, and the process ends', async () => {
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
