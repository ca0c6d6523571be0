import { GatewayHttp, type GatewayOptions, type RequestOptions } from './http.js';
import { writeJson } from './json.js';
import type { NodeAddress } from './node-hostname.js';
import { type AllowlistEntry, readAllowlist } from './records/gateway.js';

/** The allowlist's writes, for the operator who has the gateway's admin key; each answers what is admitted after it. Throws GatewayErrors. */
export class GatewayAdmin {
  readonly #http: GatewayHttp;

  constructor(baseUrl: string, adminKey: string, options: GatewayOptions = {}) {
    this.#http = new GatewayHttp(baseUrl, options, { authorization: `Bearer ${adminKey}` });
  }

  async admit(node: NodeAddress, options?: RequestOptions): Promise<AllowlistEntry[]> {
    return this.#change('add', { ip: node.ip, port: node.port }, options);
  }

  async drop(node: NodeAddress, options?: RequestOptions): Promise<AllowlistEntry[]> {
    return this.#change('remove', { ip: node.ip, port: node.port }, options);
  }

  /** Has the gateway read the registry and check all nodes again. */
  async refresh(options?: RequestOptions): Promise<AllowlistEntry[]> {
    return this.#change('refresh', {}, options);
  }

  async #change(action: string, body: object, options?: RequestOptions): Promise<AllowlistEntry[]> {
    const route = `/gateway/allowlist/${action}`;
    return readAllowlist(route, await this.#http.post(route, writeJson(body), options));
  }
}
