import { createInterface, type Interface } from 'node:readline';
import type { ConsentRequest } from './server.js';

/** Asks the user in the terminal. A closed stdin, and any answer other than y, means no. */
export class ConsentPrompt {
  readonly #lines: Interface;
  #answer: ((isAllowed: boolean) => void) | undefined;
  #isClosed = false;

  constructor(input: NodeJS.ReadableStream = process.stdin) {
    this.#lines = createInterface({ input, terminal: false });
    this.#lines.on('line', line => this.#answer?.(/^\s*y(es)?\s*$/i.test(line)));
    this.#lines.on('close', () => {
      this.#isClosed = true;
      this.#answer?.(false);
    });
  }

  ask({ origin, code }: ConsentRequest, signal: AbortSignal): Promise<boolean> {
    if (this.#isClosed || signal.aborted) return Promise.resolve(false);
    process.stderr.write(
      `\n${origin} asks to use the signer. The page shows the code ${code}.\nAllow this page? [y/N] `,
    );
    return new Promise(resolve => {
      const settle = (isAllowed: boolean) => {
        this.#answer = undefined;
        signal.removeEventListener('abort', leave);
        process.stderr.write(isAllowed ? 'Allowed.\n' : 'Refused.\n');
        resolve(isAllowed);
      };
      const leave = () => settle(false);
      this.#answer = settle;
      signal.addEventListener('abort', leave);
    });
  }

  close(): void {
    this.#lines.close();
  }
}
