import type { Allowlist } from './allowlist/allowlist.js';
import type { GatewayConfig } from './config/config.js';
import type { AnsweredRequests } from './monitoring/answered-requests.js';
import type { Traffic } from './monitoring/traffic.js';
import type { NodeDirectory } from './nodes/node-directory.js';

/** State and functions that the routes of one gateway share. */
export interface GatewayContext {
  config: GatewayConfig;
  nodes: NodeDirectory;
  allowlist: Allowlist;
  answers: AnsweredRequests;
  traffic: Traffic;
  /**
   * GETs a path under `/api/v1/`, routed like a client's request. Parses the JSON with integers as bigint.
   * Throws RequestError 404, 502, 503 or 504.
   */
  readChain(path: string): Promise<unknown>;
  /** Directory of the built wallet page, if the program that started the gateway passed it. */
  walletDirectory: URL | undefined;
  /** Time of the start, as returned by `performance.now()`. */
  startedAtMs: number;
  /** Called with failures that belong to no request. */
  onError(error: Error): void;
}
