import type { GatewayConfig } from '#gateway/config/config.js';
import { type Gateway, type GatewayOptions, startGateway } from '#gateway/gateway.js';
import { type HttpReply, httpRequest } from '../network/http.js';
import { useLoopTime } from '../time/loop-time.js';
import { gatewayConfig } from './gateway-config.js';
import { type Answer, RecordingNode } from './recording-node.js';

// The nodes answer in the gateway's own process, so both share the loop's time.
useLoopTime();

/** A gateway in front of recording nodes; `close` ends them all. */
export class GatewayScene {
  readonly gateway: Gateway;
  readonly nodes: readonly RecordingNode[];

  constructor(gateway: Gateway, nodes: readonly RecordingNode[]) {
    this.gateway = gateway;
    this.nodes = nodes;
  }

  static async open(
    nodes: readonly RecordingNode[],
    changes: Partial<GatewayConfig> = {},
    options: GatewayOptions = {},
  ): Promise<GatewayScene> {
    const staticNodes = nodes.map(({ ip, port, role }) => ({ ip, port, role }));
    const config = gatewayConfig({ staticNodes, ...changes });
    return new GatewayScene(await startGateway(config, options), nodes);
  }

  get(path: string, headers: Record<string, string> = {}): Promise<HttpReply> {
    return httpRequest('GET', this.gateway.url + path, { headers });
  }

  head(path: string): Promise<HttpReply> {
    return httpRequest('HEAD', this.gateway.url + path);
  }

  post(path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<HttpReply> {
    const type = { 'content-type': 'application/json' };
    return httpRequest('POST', this.gateway.url + path, { body, headers: { ...type, ...headers } });
  }

  async close(): Promise<void> {
    await this.gateway.stop();
    await Promise.all(this.nodes.map(node => node.stop()));
  }
}

/** Starts one node of each role for every answer given. */
export function startNodes(answers: { archival?: Answer[]; full?: Answer[] }): Promise<RecordingNode[]> {
  return Promise.all(
    (['archival', 'full'] as const).flatMap(role =>
      (answers[role] ?? []).map(answer => RecordingNode.start(role, answer)),
    ),
  );
}

export function errorOf(reply: HttpReply): { success: boolean; error: string; code: number } {
  return JSON.parse(reply.body.toString());
}
