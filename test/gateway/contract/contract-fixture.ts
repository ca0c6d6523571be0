import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DEVNET_GENESIS_HASH } from '@zbc-signer/devnet';
import { type Gateway, type GatewayConfig, loadGatewayConfig, startGateway } from '@zbc-signer/gateway';
import { stringify } from 'lossless-json';
import { type Signed, Wallet } from '../../../testkit/chain/wallet.js';
import { writeReleases } from '../../../testkit/devnet/network.js';
import { signPayment } from '../../../testkit/devnet/payment.js';
import { type HttpReply, httpRequest } from '../../../testkit/network/http.js';
import {
  type RunningProcess,
  startArchivalNode,
  startFullNode,
  writeGatewayConfig,
} from '../../../testkit/network/network-processes.js';
import { endProcess } from '../../../testkit/process/child.js';
import { until } from '../../../testkit/time/until.js';
import { Recorder } from './recorder.js';
import { readJson } from './schema-check.js';

export const KEY = 'k'.repeat(43);
export const PAID = 12_345n;
/** Time limits that are longer than a node needs to answer, even on a machine that stalls for seconds. */
const IMPATIENT = { connectMs: 5000, answerMs: 5000, pieceMs: 5000 };
/** Without breakers, each request must reach exactly the nodes that its route names. */
const STRAIGHT = { breaker: { failures: 0, pauseMs: 1000 } };

/**
 * `development` has all routes; `bare` has only the routes of every gateway; `impatient` is like `bare`, with
 * short time limits; `limited` allows each client one request per minute.
 */
export type GatewayName = 'development' | 'bare' | 'impatient' | 'limited';

/**
 * Gateways in front of a full node and an archival node. Each node runs in a process of its own. A recorder
 * stands between the gateways and each node.
 */
export class ContractFixture {
  readonly alice = Wallet.numbered(1);
  readonly bob = Wallet.numbered(2);
  readonly #directory = mkdtempSync(join(tmpdir(), 'zbc-contract-'));
  readonly #processes: RunningProcess[] = [];
  readonly #gateways = new Map<GatewayName, Gateway>();
  full!: Recorder;
  archival!: Recorder;
  /** A confirmed payment from alice to bob. */
  payment!: Signed;
  /** Height of the block that confirmed the payment. */
  paymentHeight!: string;

  static async open(): Promise<ContractFixture> {
    const fixture = new ContractFixture();
    await fixture.#startNodes();
    await fixture.#startGateways();
    await fixture.#fillChain();
    return fixture;
  }

  url(gateway: GatewayName): string {
    return this.#gateways.get(gateway)!.url;
  }

  ask(
    gateway: GatewayName,
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<HttpReply> {
    return httpRequest(method, this.url(gateway) + path, { headers, ...(body !== undefined && { body }) });
  }

  sign(from: Wallet, amount: bigint): Signed {
    return signPayment(from, this.bob, amount);
  }

  /** Makes the gateway check its nodes until this many answer. */
  async refresh(gateway: GatewayName, answering: number): Promise<void> {
    await until(async () => {
      const reply = await this.ask(gateway, 'POST', '/gateway/allowlist/refresh', { 'x-api-key': KEY });
      expect(reply.status).toBe(200);
      const { body } = await this.ask(gateway, 'GET', '/gateway/status');
      return readJson(body.toString()).answering === BigInt(answering);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#gateways.values()].map(gateway => gateway.stop()));
    await Promise.all(this.#processes.map(running => endProcess(running)));
    await Promise.all([this.full, this.archival].map(recorder => recorder.stop()));
    rmSync(this.#directory, { recursive: true });
  }

  #keep(running: RunningProcess): RunningProcess {
    this.#processes.push(running);
    return running;
  }

  #inside(name: string): string {
    const path = join(this.#directory, name);
    mkdirSync(path);
    return path;
  }

  async #startNodes(): Promise<void> {
    const quiet = { stderr: 'ignore' } as const;
    const full = this.#keep(
      await startFullNode({ dataDir: this.#inside('full'), blockTimeSeconds: 0.1 }, quiet),
    );
    const archival = this.#keep(
      await startArchivalNode({ dataDir: this.#inside('archival'), follow: full.url }, quiet),
    );
    this.full = await Recorder.start(full.port);
    this.archival = await Recorder.start(archival.port);
  }

  async #startGateways(): Promise<void> {
    const nodes = {
      static_nodes: [
        { url: `http://127.0.0.1:${this.full.port}`, role: 'full' },
        { url: `http://127.0.0.1:${this.archival.port}`, role: 'archival' },
      ],
      health_interval_ms: 3_600_000,
    };
    const [downloads, releases] = [this.#inside('downloads'), this.#inside('releases')];
    writeFileSync(join(downloads, 'file.txt'), 'published');
    await writeReleases(releases);
    const relay = { address: 'relay.test:3478', rate: 25_000, genesis_hash: DEVNET_GENESIS_HASH };
    await Promise.all([
      this.#start('development', {
        ...nodes,
        faucet: true,
        downloads_dir: downloads,
        releases_dir: releases,
        relay,
      }),
      this.#start('bare', nodes),
      this.#start('impatient', nodes, { timeouts: IMPATIENT }),
      this.#start('limited', {
        ...nodes,
        faucet: true,
        downloads_dir: downloads,
        releases_dir: releases,
        rate_limit: { requests: 1 },
      }),
    ]);
  }

  async #start(
    name: GatewayName,
    fields: Record<string, unknown>,
    fixed: Partial<GatewayConfig> = {},
  ): Promise<void> {
    const withoutLimits = { rate_limit: { requests: 0, writes: 0 }, ...fields };
    const { config } = await loadGatewayConfig(
      writeGatewayConfig(this.#inside(`gateway-${name}`), withoutLimits),
    );
    const gateway = await startGateway({ ...config, ...STRAIGHT, ...fixed }, { onError: () => undefined });
    this.#gateways.set(name, gateway);
  }

  async #fillChain(): Promise<void> {
    const type = { 'content-type': 'application/json' };
    const funded = await this.ask('development', 'POST', '/faucet', type, `{"address":"${this.alice.hex}"}`);
    expect(funded.status).toBe(200);
    this.payment = this.sign(this.alice, PAID);
    await this.ask('development', 'POST', '/api/v1/transactions', type, stringify(this.payment.fields));
    await this.#untilConfirmed(this.payment.hash);
    for (const recorder of [this.full, this.archival]) recorder.take();
  }

  /**
   * Waits until the archival node has the block that confirms the transaction. An archival node knows only
   * confirmed transactions.
   */
  async #untilConfirmed(hash: string): Promise<void> {
    for (;;) {
      const { body } = await this.ask('development', 'GET', `/api/v1/transactions/${hash}/status`);
      const { status, block_height } = readJson(body.toString());
      if (status === 'confirmed' && !this.full.take().some(line => line.includes(hash))) {
        this.paymentHeight = String(block_height);
        return;
      }
      await pause(20);
    }
  }
}
