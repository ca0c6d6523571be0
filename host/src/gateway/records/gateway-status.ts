import type { Answer } from '../answer.js';
import type { NodeAddress } from '../node-hostname.js';

/** A node of the gateway; `role` is `full`, `archival`, or undefined if not reported. */
export interface GatewayNode extends NodeAddress {
  role?: string | undefined;
  answers: boolean;
  /** Whether requests are routed to the node; undefined if not reported. */
  routed?: boolean | undefined;
}

/** A gateway's status: `mode` is `private` or `public`, `domain` is its host name. */
export interface GatewayStatus {
  mode: string;
  domain: string;
  version?: string | undefined;
  uptimeSeconds?: number | undefined;
  allowlisted?: number | undefined;
  answering?: number | undefined;
  nodes: GatewayNode[];
}

export function readGatewayStatus(answer: Answer): GatewayStatus {
  return {
    mode: answer.text('mode'),
    domain: answer.text('domain'),
    version: answer.optional('version', 'label'),
    uptimeSeconds: answer.optional('uptime_seconds', 'decimal'),
    allowlisted: answer.optional('allowlisted', 'count'),
    answering: answer.optional('answering', 'count'),
    nodes: answer.list('nodes').map(readNode),
  };
}

function readNode(answer: Answer): GatewayNode {
  return {
    ip: answer.text('ip'),
    port: answer.count('port'),
    role: answer.optional('role', 'text'),
    answers: answer.flag('answers'),
    routed: answer.has('routed') ? answer.flag('routed') : undefined,
  };
}
