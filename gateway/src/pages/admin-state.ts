/** A node as the admin page shows it. */
export interface AdminNode {
  ip: string;
  port: number;
  role: string;
  source: string;
  answers: boolean;
  /** Whether requests go to it: it answers, is on the gateway's chain and not too far behind. */
  routed: boolean;
  /** Whether an administrator took it out. */
  cordoned: boolean;
  /** Whether poor answers have put it last for a while. */
  broken: boolean;
  /** Why it does not answer. */
  fault?: string | undefined;
  /** Lower hex. */
  genesis_hash?: string | undefined;
  /** Digits: pages read JSON without bigint. */
  height?: string | undefined;
  /** Blocks behind the best of the operator's nodes, in digits; undefined when in step. */
  behind?: string | undefined;
  latency_ms?: number | undefined;
  requests: number;
  failures: number;
  /** Requests that have not ended yet. */
  running: number;
}

/** A node's last hour; null while it did not answer its checks, and before its first. */
export interface NodeHistory {
  ip: string;
  port: number;
  /** As numbers, to be drawn. */
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
    /** The chain that is routed to, lower hex. */
    genesis_hash?: string | undefined;
  };
  nodes: AdminNode[];
  traffic: {
    requests: number;
    answers: Record<string, number>;
    bytes_out: number;
    reads: Record<'hedged', number>;
  };
  /** The last hour: a value for every `step_seconds`, the oldest first. */
  history: {
    step_seconds: number;
    /** By the first digit of the status. */
    answers: Record<string, number[]>;
    /** Null without a request that was timed. */
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
