import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DevelopmentChain } from '../../gateway/src/node/development-chain.js';
import { checkState } from '../../gateway/src/node/state-check.js';
import { endProcess } from '../../test/support/child.js';
import {
  type RunningProcess,
  startArchivalNode,
  startFullNode,
  startGatewayProcess,
} from '../../test/support/network-processes.js';

const BLOCK_TIME_SECONDS = 0.1;
/** Of nodes that are killed, and of those who miss them, nothing else is to be expected. */
const QUIET = { stderr: 'ignore' } as const;

/** A gateway, a full node and an archival node, each a process; the nodes keep their ports and directories when they are killed. */
export class Network {
  readonly #fullDir: string;
  readonly #archivalDir: string;
  #full!: RunningProcess;
  #archival!: RunningProcess;
  #gateway!: RunningProcess;

  private constructor(folder: string) {
    this.#fullDir = join(folder, 'full');
    this.#archivalDir = join(folder, 'archival');
    mkdirSync(this.#fullDir);
    mkdirSync(this.#archivalDir);
  }

  static async start(folder: string): Promise<Network> {
    const network = new Network(folder);
    await network.#startFull(0);
    await network.#startArchival(0);
    const nodes = [
      { ip: '127.0.0.1', port: network.#full.port, role: 'full' },
      { ip: '127.0.0.1', port: network.#archival.port, role: 'archival' },
    ];
    network.#gateway = await startGatewayProcess(
      folder,
      { static_nodes: nodes, faucet: true, health_interval_ms: 100 },
      QUIET,
    );
    return network;
  }

  get gatewayUrl(): string {
    return this.#gateway.url;
  }
  get fullUrl(): string {
    return this.#full.url;
  }
  get archivalUrl(): string {
    return this.#archival.url;
  }

  /** Kills the full node, adds up what it left behind, and starts it again; throws when the sums are wrong. */
  async killFull(): Promise<void> {
    await endProcess(this.#full);
    await this.checkLedger();
    await this.#startFull(this.#full.port);
  }

  async killArchival(): Promise<void> {
    await endProcess(this.#archival);
    await this.#startArchival(this.#archival.port);
  }

  /** While no full node runs. */
  async checkLedger(): Promise<void> {
    const chain = await DevelopmentChain.open(this.#fullDir, Date.now);
    const faults = checkState(chain.store);
    await chain.close();
    if (faults.length > 0) throw new Error(`the ledger does not add up: ${faults.join('; ')}`);
  }

  async stop(): Promise<void> {
    for (const running of [this.#gateway, this.#archival, this.#full]) {
      if (running !== undefined) await endProcess(running, 'SIGTERM');
    }
  }

  async #startFull(port: number): Promise<void> {
    this.#full = await startFullNode(
      { dataDir: this.#fullDir, port, blockTimeSeconds: BLOCK_TIME_SECONDS },
      QUIET,
    );
  }

  async #startArchival(port: number): Promise<void> {
    this.#archival = await startArchivalNode(
      { dataDir: this.#archivalDir, port, follow: this.#full.url },
      QUIET,
    );
  }
}
