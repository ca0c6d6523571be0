import type { AllowlistStore } from './allowlist/allowlist-store.js';
import type { GatewayConfig } from './config/config.js';
import type { AnsweredRequests } from './monitoring/answered-requests.js';
import type { Traffic, TrafficCounts } from './monitoring/traffic.js';
import type { NodeDirectory } from './upstream/node-directory.js';

/** What the parts of one gateway share. */
export interface GatewayContext {
  config: GatewayConfig;
  nodes: NodeDirectory;
  allowlist: AllowlistStore;
  /** Of this process, as is `traffic`. */
  answers: AnsweredRequests;
  traffic: Traffic;
  /** What all workers have counted together. */
  readTraffic(): Promise<TrafficCounts>;
  /** GETs a path under `/api/v1/` as a client's request would be routed, and reads JSON with integers as bigint; throws RequestError: 502, 503, 504, or 404 when the nodes do not have it. */
  readChain(path: string): Promise<unknown>;
  startedAtMs: number;
  /** Hears of failures that no request can be told about. */
  onError(error: Error): void;
}
