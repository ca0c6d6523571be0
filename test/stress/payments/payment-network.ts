import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningNode, startFullNode } from '@zbc-signer/devnet';
import type { Chaos } from '@zbc-signer/devnet/chaos';
import { type Gateway, type GatewayConfig, startGateway } from '@zbc-signer/gateway';
import { addChaos } from '#devnet/chaos/add-chaos.js';
import { prepareDevnetGateway } from '#devnet/network/devnet-gateway.js';

const BLOCK_TIME_MS = 20;
const LOOPBACK = '127.0.0.1';

/**
 * A full node without faults, and in front of it a gateway that has faults and can be restarted. Both run in
 * this process.
 */
export class PaymentNetwork {
  #gateway: Gateway | undefined;
  #cutAll: () => void = () => undefined;

  private constructor(
    readonly directory: string,
    readonly node: RunningNode,
    private readonly config: GatewayConfig,
  ) {}

  static async start(): Promise<PaymentNetwork> {
    const directory = mkdtempSync(join(tmpdir(), 'zbc-payments-'));
    const node = await startFullNode({ dataDir: join(directory, 'node'), blockTimeMs: BLOCK_TIME_MS });
    const config = await prepareDevnetGateway({
      directory: join(directory, 'gateway'),
      staticNodes: [{ ip: LOOPBACK, port: Number(new URL(node.url).port), role: 'full' }],
      genesisHash: node.genesisHash,
      host: LOOPBACK,
      port: 0,
      rateLimit: 0,
    });
    return new PaymentNetwork(directory, node, config);
  }

  /** The gateway's URL; it is the same after a restart. */
  get url(): string {
    if (this.#gateway === undefined) throw new Error('the gateway is not running');
    return this.#gateway.url;
  }

  /** Starts the gateway with these faults. If a gateway is running, it is stopped first. */
  async startGateway(chaos: Chaos): Promise<void> {
    const port = this.#gateway === undefined ? 0 : Number(new URL(this.#gateway.url).port);
    await this.#stopGateway();
    const config = { ...this.config, listenPort: port, wallet: false };
    this.#gateway = await startGateway(config, {
      onError: () => undefined,
      extend: app => {
        addChaos(app, chaos);
        this.#cutAll = () => app.server.closeAllConnections();
      },
    });
  }

  /** Stops the gateway as a crash would: no request is finished. */
  async #stopGateway(): Promise<void> {
    const stopped = this.#gateway?.stop();
    const cut = setInterval(this.#cutAll, 1);
    await stopped;
    clearInterval(cut);
  }

  async stop(): Promise<void> {
    await this.#stopGateway();
    await this.node.stop();
    rmSync(this.directory, { recursive: true });
  }
}
