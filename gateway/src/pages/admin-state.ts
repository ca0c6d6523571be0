/** A node on the admin page; the schema AdminState of `openapi/schemas.ts` describes the fields. */
export interface AdminNode {
  ip: string;
  port: number;
  role: string;
  source: string;
  answers: boolean;
  routed: boolean;
  cordoned: boolean;
  broken: boolean;
  fault?: string | undefined;
  genesis_hash?: string | undefined;
  /** Decimal digits, because pages parse JSON without bigint. */
  height?: string | undefined;
  behind?: string | undefined;
  latency_ms?: number | undefined;
  requests: number;
  failures: number;
  running: number;
}

/** A node's last hour. Values are null before its first check and while its checks failed. */
export interface NodeHistory {
  ip: string;
  port: number;
  /** Heights as numbers, because they are only drawn. */
  heights: (number | null)[];
  latencies_ms: (number | null)[];
}

/** The response of `GET /admin/state`. */
export interface AdminState {
  gateway: {
    domain: string;
    mode: string;
    version: string;
    uptime_seconds: number;
    genesis_hash?: string | undefined;
  };
  nodes: AdminNode[];
  traffic: {
    requests: number;
    answers: Record<string, number>;
    bytes_out: number;
    reads: Record<'hedged', number>;
  };
  history: {
    step_seconds: number;
    answers: Record<string, number[]>;
    p50_ms: (number | null)[];
    p99_ms: (number | null)[];
    cache_reads: Record<'hit' | 'shared' | 'miss', number[]>;
    nodes: NodeHistory[];
  };
  system: {
    cpu: { count: number; load_average: number[]; usage_percent: number };
    memory: { total_bytes: number; free_bytes: number; process_bytes: number };
    disk: { total_bytes: number; free_bytes: number };
    uptime: { system_seconds: number; process_seconds: number };
  };
}
