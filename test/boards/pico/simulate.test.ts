import { once } from 'node:events';
import { join } from 'node:path';
import { Emulator } from '@zbc-signer/emulator';
import { drawScreen } from '@zbc-signer/emulator/screen-art';
import { spawnScript } from '../../../testkit/process/child.js';
import { root } from '../../../testkit/repository/repository.js';
import { until } from '../../../testkit/time/until.js';

test('make simulate-pico draws the display, and the arrow keys press its buttons', async () => {
  const program = join(root, 'dist/testkit/boards/simulate-pico.js');
  const child = spawnScript(program, ['--port', '0'], { stdin: 'pipe' });
  const exited = once(child, 'exit');
  let shown = '';
  child.stdout!.setEncoding('utf8').on('data', text => {
    shown += text;
  });
  const emulator = await Emulator.start();
  await until(() => shown.includes(drawScreen(emulator.frame())));
  child.stdin!.write('\x1b[C');
  emulator.press('right');
  await until(() => shown.includes(drawScreen(emulator.frame())));
  child.stdin!.write('q');
  expect(await exited).toEqual([0, null]);
  expect(shown).toMatch(/USB\/IP on port \d+\.\n/);
});
