import { WALLET_DIRECTORY as walletDirectory } from '@zbc-signer/wallet';
import type { GatewayConfig } from '#gateway/config/config.js';
import { type Gateway, type GatewayOptions, startGateway } from '#gateway/gateway.js';
import { type HttpReply, httpRequest } from '../network/http.js';
import { useLoopTime } from '../time/loop-time.js';
import { gatewayConfig } from './gateway-config.js';
import { type Answer, RecordingNode } from './recording-node.js';

// Nodes and gateway run in one process. With this clock, a delay of the process does not exceed a time limit.
useLoopTime();

/** A gateway in front of recording nodes. `close` stops the gateway and the nodes. */
export class GatewayFixture {
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
  ): Promise<GatewayFixture> {
    const staticNodes = nodes.map(({ ip, port, role }) => ({ ip, port, role }));
    const config = gatewayConfig({ staticNodes, ...changes });
    return new GatewayFixture(await startGateway(config, { walletDirectory, ...options }), nodes);
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

/** Starts a node for each answer: archival nodes for `archival`, full nodes for `full`. */
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
