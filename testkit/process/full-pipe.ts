import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { CliOptions } from './cli.js';

/** A named pipe that is full and that nobody reads. */
export class FullPipe {
  readonly #reader: number;

  constructor(private readonly path: string) {
    execFileSync('mkfifo', [path]);
    this.#reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      for (;;) writeSync(this.#reader, 'x'.repeat(4096));
    } catch (error) {
      if (Object(error).code !== 'EAGAIN') throw error;
    }
  }

  /** To start a command with the pipe in place of its stdout or stderr. */
  inPlaceOf(name: 'stdout' | 'stderr'): CliOptions {
    return { before: ['sh', '-c', `exec "$@" ${name === 'stdout' ? 1 : 2}> "$0"`, this.path] };
  }

  close(): void {
    closeSync(this.#reader);
  }
}
