import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';

/** Debian's redis-server on a free loopback port, which keeps nothing. */
export class RedisServer {
  readonly #directory = mkdtempSync(join(tmpdir(), 'zbc-redis.'));
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly before: readonly string[],
  ) {}

  /** `before` are words in front of the command, such as `taskset -c 0`. */
  static async start(before: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), before);
    await server.run();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#process!.pid!;
  }

  /** Empty, as it keeps nothing. */
  async run(): Promise<void> {
    const settings = { port: this.port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: this.#directory };
    const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]);
    const [command = 'redis-server', ...rest] = [...this.before, 'redis-server', ...words];
    this.#process = spawn(command, rest, { stdio: 'ignore' });
    while (!(await this.#answers())) await new Promise(resolve => setTimeout(resolve, 20));
  }

  /** Keeps the connections open and answers nothing, until `SIGCONT`. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process!.kill(name);
  }

  async kill(): Promise<void> {
    const gone = once(this.#process!, 'exit');
    this.#process!.kill('SIGKILL');
    await gone;
  }

  async stop(): Promise<void> {
    if (this.#process?.exitCode === null && this.#process.signalCode === null) await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #answers(): Promise<boolean> {
    return new Promise(resolve => {
      const socket = connect(this.port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
  }
}
