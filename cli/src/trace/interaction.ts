import { emitKeypressEvents } from 'node:readline';
import type { TraceStep } from '@zbc-signer/emulator/trace';
import { type Key, Viewer } from './viewer.js';

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const CLEAR = '\x1b[H\x1b[2J';

/** Shows a trace on the terminal until the user quits or `signal` is aborted; leaves it as it was. */
export async function viewTrace(
  steps: readonly TraceStep[],
  first: number,
  signal: AbortSignal,
): Promise<void> {
  const { stdin, stdout } = process;
  const viewer = new Viewer(steps, first);
  const draw = () => stdout.write(CLEAR + viewer.draw());
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.resume();
  stdout.write(ENTER);
  draw();
  try {
    await new Promise<void>(resolve => {
      stdin.on('keypress', (_text: string | undefined, key: Key) => {
        if (viewer.press(key)) draw();
        else resolve();
      });
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    stdin.removeAllListeners('keypress');
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(LEAVE);
  }
}
