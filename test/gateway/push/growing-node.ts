import type { ServerResponse } from 'node:http';
import { json, RecordingNode } from '../../../testkit/gateway/recording-node.js';

interface Waiting {
  from: number;
  response: ServerResponse;
}

/** A full node whose chain grows when the test says so. A read that waits for a block is answered then. */
export class GrowingNode {
  readonly hashes: string[][] = [[]];
  /** Stages of transactions by hash. */
  readonly stages = new Map<string, string>();
  fork = 'a';
  #waiting: Waiting[] = [];

  private constructor(readonly node: RecordingNode) {}

  static async start(): Promise<GrowingNode> {
    const growing = new GrowingNode(await RecordingNode.start('full'));
    growing.node.answer = ({ path }, response, socket) => {
      const url = new URL(path, 'http://node');
      const hash = /transactions\/(.*)\/status/.exec(url.pathname)?.[1];
      if (hash !== undefined) {
        const status = growing.stages.get(hash);
        const body = status ? { transaction_hash: hash, status } : { error: 'Transaction not found' };
        json(status ? 200 : 404, body)({} as never, response, socket);
      } else if (url.pathname === '/api/v1/blockchain/status') {
        json(200, { height: growing.height })({} as never, response, socket);
      } else {
        growing.#waiting.push({ from: Number(url.searchParams.get('from')), response });
        growing.#answer();
      }
    };
    return growing;
  }

  get height(): number {
    return this.hashes.length - 1;
  }

  /** Number of reads that wait for the next block. */
  get waiting(): number {
    return this.#waiting.filter(({ response }) => !response.destroyed).length;
  }

  get polls(): string[] {
    return this.node.asked.filter(asked => asked.includes('wait_ms'));
  }

  block(...hashes: string[]): void {
    this.hashes.push(hashes);
    this.#answer();
  }

  #answer(): void {
    const [ready, others] = [
      this.#waiting.filter(({ from }) => from <= this.height),
      this.#waiting.filter(({ from }) => from > this.height),
    ];
    this.#waiting = others;
    for (const { from, response } of ready) {
      json(200, { blocks: [this.#describe(from)] })({} as never, response, response.socket!);
    }
  }

  #describe(height: number) {
    return {
      height,
      block_hash: this.hashOf(height),
      previous_block_hash: this.hashOf(height - 1),
      timestamp: 1_795_315_288 + height,
      transaction_count: this.hashes[height]!.length,
      transactions: this.hashes[height]!.map(transaction_hash => ({ transaction_hash })),
      expired_escrows: [],
    };
  }

  hashOf(height: number): string {
    return `${this.fork}${height}`.padStart(64, '0');
  }
}
