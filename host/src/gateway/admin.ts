import { formatJson } from '@zbc-signer/chain';
import { GatewayHttp, type GatewayOptions, type RequestOptions } from './http.js';
import type { NodeAddress } from './node-hostname.js';
import { readAllowlist } from './records/gateway.js';
import type { AllowlistEntry } from './records/gateway-status.js';

/**
 * Changes the gateway's allowlist with its admin key. Each call returns the new list or throws GatewayError.
 */
export class GatewayAdmin {
  readonly #http: GatewayHttp;

  constructor(baseUrl: string, adminKey: string, options: GatewayOptions = {}) {
    this.#http = new GatewayHttp(baseUrl, options, { authorization: `Bearer ${adminKey}` });
  }

  /** Adds a node. */
  async admit(node: NodeAddress, options?: RequestOptions): Promise<AllowlistEntry[]> {
    return this.#change('add', { ip: node.ip, port: node.port }, options);
  }

  /** Removes a node. */
  async drop(node: NodeAddress, options?: RequestOptions): Promise<AllowlistEntry[]> {
    return this.#change('remove', { ip: node.ip, port: node.port }, options);
  }

  /** Makes the gateway reread the registry and recheck all nodes. */
  async refresh(options?: RequestOptions): Promise<AllowlistEntry[]> {
    return this.#change('refresh', {}, options);
  }

  async #change(action: string, body: object, options?: RequestOptions): Promise<AllowlistEntry[]> {
    const route = `/gateway/allowlist/${action}`;
    return readAllowlist(route, await this.#http.post(route, formatJson(body), options, 'large'));
  }
}
