import { openSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import { EmulatorError } from '../errors.js';

/** The terminal of this process, whatever a test runner made of its standard streams. */
interface PersonTerminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream & { columns?: number };
  close(): void;
}

/** Throws NOBODY_THERE where there is no terminal. */
export function openPersonTerminal(): PersonTerminal {
  try {
    const input = new ReadStream(openSync(process.platform === 'win32' ? 'CONIN$' : '/dev/tty', 'r'));
    const output = new WriteStream(openSync(process.platform === 'win32' ? 'CONOUT$' : '/dev/tty', 'w'));
    return {
      input,
      output,
      close() {
        input.destroy();
        output.destroy();
      },
    };
  } catch (cause) {
    const message = 'nobody is there to press the buttons: this process has no terminal';
    throw new EmulatorError('NOBODY_THERE', message, { cause });
  }
}
