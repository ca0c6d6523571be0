import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildOptions, endProcess } from '../process/child.js';
import { freePort } from './free-port.js';
import {
  type RunningProcess,
  startArchivalNode,
  startFullNode,
  startGatewayProcess,
} from './network-processes.js';

interface NetworkOptions {
  blockTimeSeconds: number;
  /** Additional fields of `gateway.json`. */
  gateway: Record<string, unknown>;
  processes?: ChildOptions;
}

/**
 * A gateway, a full node and an archival node in separate processes. A node that is restarted keeps its port
 * and its directory.
 */
export class Network {
  readonly fullDir: string;
  readonly #archivalDir: string;
  readonly #options: NetworkOptions;
  full!: RunningProcess;
  archival!: RunningProcess;
  gateway!: RunningProcess;

  private constructor(directory: string, options: NetworkOptions) {
    this.#options = options;
    this.fullDir = join(directory, 'full');
    this.#archivalDir = join(directory, 'archival');
    for (const own of [this.fullDir, this.#archivalDir]) mkdirSync(own, { recursive: true });
  }

  static async start(directory: string, options: NetworkOptions): Promise<Network> {
    const network = new Network(directory, options);
    await network.startFull();
    await network.startArchival();
    const nodes = [
      { url: `http://127.0.0.1:${network.full.port}`, role: 'full' },
      { url: `http://127.0.0.1:${network.archival.port}`, role: 'archival' },
    ];
    const fields = { static_nodes: nodes, faucet: true, wallet: true, ...options.gateway };
    network.gateway = await startGatewayProcess(directory, fields, options.processes);
    return network;
  }

  async startFull(): Promise<void> {
    const { blockTimeSeconds, processes } = this.#options;
    const port = this.full?.port ?? (await freePort());
    this.full = await startFullNode({ dataDir: this.fullDir, port, blockTimeSeconds }, processes);
  }

  async startArchival(): Promise<void> {
    const port = this.archival?.port ?? (await freePort());
    const node = { dataDir: this.#archivalDir, port, follow: this.full.url };
    this.archival = await startArchivalNode(node, this.#options.processes);
  }

  async stop(): Promise<void> {
    for (const running of [this.gateway, this.archival, this.full]) await endProcess(running, 'SIGTERM');
  }
}
