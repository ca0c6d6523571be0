import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { spawnScript } from '../../../testkit/process/child.js';
import { root } from '../../../testkit/repository/repository.js';

/** `zbc-signer bridge` at the port where pages look for it, and the terminal that it asks in. */
export class BridgeProcess {
  #stderr = '';

  private constructor(private readonly child: ChildProcess) {
    child.stderr!.on('data', (chunk: Buffer) => {
      this.#stderr += chunk;
    });
  }

  static async start(device: string, origin: string): Promise<BridgeProcess> {
    const words = ['bridge', '--device', device, '--allow-origin', origin, '--json'];
    const child = spawnScript(join(root, 'cli/dist/main.js'), words, {
      env: { PATH: process.env.PATH ?? '' },
      stdin: 'pipe',
      stderr: 'pipe',
    });
    const bridge = new BridgeProcess(child);
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the bridge ended: ${bridge.#stderr}`);
    });
    await Promise.race([once(child.stdout!, 'data'), ended]);
    ended.catch(() => undefined);
    return bridge;
  }

  /** Resolves with the code that the user is asked to compare. */
  async asked(): Promise<string> {
    const question = /The page shows the code (\d{4})\.\nAllow this page\? \[y\/N\] $/;
    while (!question.test(this.#stderr)) await once(this.child.stderr!, 'data');
    return question.exec(this.#stderr)![1]!;
  }

  answer(word: string): void {
    this.child.stdin!.write(`${word}\n`);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGINT');
    await ended;
  }
}
