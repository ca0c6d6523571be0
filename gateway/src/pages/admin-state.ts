/** The response of `GET /admin/state`, as the admin page reads it; `undefined` fields are left out. */
export interface AdminState {
  gateway: { domain: string; mode: string; version: string; uptime_seconds: number; genesis_hash?: string };
  nodes: AdminNode[];
  system: {
    cpu: { count: number; load_average: number[] };
    memory: { total_bytes: number; free_bytes: number; process_bytes: number };
    disk: { total_bytes: number; free_bytes: number };
    uptime: { system_seconds: number };
  };
}

export interface AdminNode {
  ip: string;
  port: number;
  host?: string | undefined;
  role: string;
  source: string;
  /** Whether the node gets requests. */
  routed: boolean;
  /** Its state as in the log, such as `is down (refuses connections)`. */
  state: string;
  /** Decimal digits, because a number of the page ends at 2^53. */
  height?: string | undefined;
  latency_ms?: number | undefined;
  requests: number;
  failures: number;
}
