import { GatewayClient } from './client.js';
import type { RequestOptions } from './http.js';
import { type Block, readBlock } from './records/block.js';
import { type Release, readReleases } from './records/release.js';

/**
 * A GatewayClient with single blocks, releases and the JSON of every other route.
 */
export class ExplorerClient extends GatewayClient {
  /**
   * The unvalidated JSON of any GET route, such as `/api/v1/node/info`, with integers as bigint; undefined for a
   * record that does not exist.
   */
  async get(route: string, options?: RequestOptions): Promise<unknown> {
    return this.http.find(route, options, 'large');
  }

  /** A block, by default the newest one; undefined if the chain has no such block. */
  async block(height?: bigint, options?: RequestOptions): Promise<Block | undefined> {
    const answer = await this.find(`/api/v1/blocks/${height ?? 'latest'}`, options, 'large');
    return answer && readBlock(height === undefined ? answer : answer.repeating('height', 'amount', height));
  }

  /** The published software releases, newest first. */
  async releases(options?: RequestOptions): Promise<Release[]> {
    const route = '/api/v1/release/list';
    return readReleases(route, await this.http.get(route, options, 'large'));
  }
}
