import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEVNET_GENESIS_HASH } from '@zbc-signer/devnet';
import type { FastifyInstance } from 'fastify';
import { createArchivalApp } from '#devnet/archival/app.js';
import { ArchivalChain } from '#devnet/archival/archival-chain.js';
import { parseFollowedBlock } from '#devnet/archival/followed-block.js';
import { EMPTY_REGISTRY, type Registry } from '#devnet/node/development-data/registry.js';
import { type Network, type Reply, readJson } from './network.js';

/** An archival node without network connections. It receives blocks only from a test. */
export class Archive {
  readonly directory = mkdtempSync(join(tmpdir(), 'zbc-test-'));
  readonly errors: Error[] = [];
  readonly registry: Registry = { ...EMPTY_REGISTRY };
  chain!: ArchivalChain;
  app!: FastifyInstance;

  static async open(): Promise<Archive> {
    const archive = new Archive();
    archive.chain = await ArchivalChain.open(archive.directory, async () => DEVNET_GENESIS_HASH);
    archive.app = createArchivalApp(archive.chain, error => archive.errors.push(error), archive.registry);
    return archive;
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.chain.close();
    rmSync(this.directory, { recursive: true });
  }

  /** Applies a block in the JSON format of a full node. */
  async apply(json: unknown): Promise<void> {
    await this.chain.apply(parseFollowedBlock(json));
  }

  /** Applies all blocks of the network that this node does not have. */
  async follow(network: Network): Promise<void> {
    for (;;) {
      const { body, status } = await network.get(`/api/v1/blocks/${(await this.height()) + 1n}`);
      if (status === 404) return;
      await this.apply(body);
    }
  }

  async height(): Promise<bigint> {
    return (await this.get('/api/v1/node/info')).body.height as bigint;
  }

  async get(url: string, method: 'GET' | 'POST' | 'HEAD' | 'DELETE' = 'GET'): Promise<Reply> {
    const { statusCode, body } = await this.app.inject({ url, method });
    return { status: statusCode, body: readJson(body), text: body };
  }
}
