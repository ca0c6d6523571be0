import type { AllowlistStore } from './allowlist/allowlist-store.js';
import type { ImmutableCache } from './cache/immutable-cache.js';
import type { GatewayConfig } from './config/config.js';
import type { AnsweredRequests } from './monitoring/answered-requests.js';
import type { History } from './monitoring/history.js';
import type { Traffic } from './monitoring/traffic.js';
import type { NodeDirectory } from './nodes/node-directory.js';

/** Shared by the routes of one gateway. */
export interface GatewayContext {
  config: GatewayConfig;
  nodes: NodeDirectory;
  allowlist: AllowlistStore;
  answers: AnsweredRequests;
  traffic: Traffic;
  history: History;
  cache: ImmutableCache;
  /**
   * GETs a path under `/api/v1/`, routed like a client's request, and parses JSON with integers as bigint;
   * throws RequestError 404, 502, 503 or 504.
   */
  readChain(path: string): Promise<unknown>;
  /**
   * Reloads the configuration and applies it; if it is invalid, throws ConfigError and changes nothing.
   * Undefined if a program supplied the configuration.
   */
  reload: (() => Promise<void>) | undefined;
  /** Time of the start on `performance.now`'s clock. */
  startedAtMs: number;
  /** Called with failures that belong to no request. */
  onError(error: Error): void;
}
