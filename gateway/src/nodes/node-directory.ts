import type { Allowlist } from '../allowlist/allowlist.js';
import {
  type AdmittedNode,
  NODE_ROLES,
  type NodeAddress,
  type NodeRole,
  nodeKey,
} from '../base/node-address.js';
import { within } from '../base/within.js';
import type { GatewayConfig } from '../config/config.js';
import { Cancellation } from '../upstream/cancellation.js';
import type { NodeConnections } from '../upstream/node-connections.js';
import { mergeNodes } from './admitted-nodes.js';
import { agreeOnGenesis } from './chain-agreement.js';
import { compareForks } from './forks.js';
import { checkHealth, readBlock } from './health-check.js';
import {
  describeState,
  KnownNode,
  type NodeHealth,
  type NodeState,
  RoutingOrder,
  stateOf,
} from './known-node.js';
import { bestHeight, blocksBehind, standingOf } from './lag.js';
import type { RegistryLists } from './registry.js';
import { resolveNode } from './resolve.js';

/**
 * Number of rounds of health checks between two reads of the registry. A failed read is repeated after the
 * next round.
 */
const ROUNDS_PER_REGISTRY_READ = 12;
const CHECKS_AT_ONCE = 32;
/**
 * Maximum wait for nodes that do not answer, at a start or a change of the allowlist. Their checks continue.
 */
const PATIENCE_MS = 3000;

interface DirectoryParts {
  config: GatewayConfig;
  allowlist: Allowlist;
  connections: NodeConnections;
  readRegistry(): Promise<RegistryLists>;
  /** Called with all admitted nodes whenever they may have changed. */
  onAdmitted(nodes: readonly AdmittedNode[]): void;
  /**
   * Called with a log line: a warning when a node's state changes, and `info` when a node is admitted or no
   * longer admitted.
   */
  onNodeChange(line: string, level: 'info' | 'warn'): void;
}

/** States in which a node gets requests. */
const ROUTED: readonly NodeState[] = ['routed', 'late', 'poor'];

/**
 * The nodes that this gateway admits: those of the configuration, those that an administrator added, and in
 * public mode those of the chain's registry.
 */
export class NodeDirectory {
  readonly #parts: DirectoryParts;
  readonly #order: Record<NodeRole, RoutingOrder> = {
    full: new RoutingOrder(),
    archival: new RoutingOrder(),
  };
  #nodes = new Map<string, KnownNode>();
  #registry: RegistryLists = {};
  #genesisHash: string | undefined;
  #bestHeight: bigint | undefined;
  /** The running checks and comparisons of forks. */
  readonly #running = new Map<Cancellation, Promise<unknown>>();
  #roundsUntilRegistry = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Set once the first nodes are known. From then on, additions and removals are logged. */
  #isStarted = false;
  /** Set once each node has had time to answer. */
  #hadTime = false;
  #stopped = false;

  constructor(parts: DirectoryParts) {
    this.#parts = parts;
    this.#genesisHash = parts.config.genesisHash;
    this.#merge();
  }

  /** Every admitted node, in a stable order. */
  nodes(): readonly KnownNode[] {
    return [...this.#nodes.values()];
  }

  find(address: NodeAddress): KnownNode | undefined {
    const known = this.#nodes.get(nodeKey(address));
    if (known !== undefined || address.host !== undefined) return known;
    return this.nodes().find(({ ip, port }) => ip === address.ip && port === address.port);
  }

  /** The routed nodes of a role, in the order in which they are asked. Nodes of equal rank take turns. */
  routed(role: NodeRole): readonly KnownNode[] {
    return this.#order[role].next();
  }

  /**
   * Genesis hash of the routed chain, in lower-case hex; undefined until the nodes agree on one. It never
   * changes.
   */
  genesisHash(): string | undefined {
    return this.#genesisHash;
  }

  /** Reports a failed request. A node that was not `reached` counts as down until its next check. */
  reportFailure(address: NodeAddress, fault: string, reached: boolean): void {
    const node = this.#nodes.get(nodeKey(address));
    if (node === undefined || this.#stopped) return;
    if (!reached) node.health = { ...node.health, answers: false, fault };
    node.answeredPoorly(this.#parts.config.breaker, fault);
    this.#arrange();
    this.#tell();
    if (reached) void this.#check(node).then(() => this.#tell());
  }

  /** Checks a node that has not answered a request for a while. */
  suspect(address: NodeAddress): void {
    const node = this.#nodes.get(nodeKey(address));
    if (node !== undefined) void this.#check(node).then(() => this.#tell());
  }

  /**
   * Counts a poor answer: a 5xx other than 503, or an answer that arrived after that of a node which was asked
   * later.
   */
  reportPoor(address: NodeAddress, reason: string): void {
    const node = this.#nodes.get(nodeKey(address));
    if (node?.answeredPoorly(this.#parts.config.breaker, reason)) this.#tell();
  }

  /** Highest credible height of the operator's nodes in the last round of checks. */
  bestHeight(): bigint | undefined {
    return this.#bestHeight;
  }

  /** Applies the current allowlist, reads the registry again and checks every node. */
  async refresh(): Promise<void> {
    this.#merge();
    this.#isStarted = true;
    const discovered = this.#checkAll().then(() => this.#discover());
    await within(PATIENCE_MS, discovered, () => {});
    this.#hadTime = true;
    this.#arrange();
    this.#tell();
  }

  /** Checks every node once, then at every interval. */
  async start(): Promise<void> {
    await this.refresh();
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const cancellation of this.#running.keys()) cancellation.cancel();
    await Promise.all(this.#running.values());
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(
      () => void this.#round().then(() => this.#schedule()),
      this.#parts.config.healthIntervalMs,
    );
    this.#timer.unref();
  }

  async #round(): Promise<void> {
    await this.#checkAll();
    this.#roundsUntilRegistry -= 1;
    if (this.#roundsUntilRegistry <= 0) await this.#discover();
  }

  async #discover(): Promise<void> {
    if (!(await this.#readRegistry())) return;
    await this.#checkThese(this.nodes().filter(({ health }) => health.checkedAtMs === 0));
  }

  /**
   * Reads the registry if the mode is public. Returns whether one of its lists was read. If a list cannot be
   * read, its nodes of the last read stay admitted.
   */
  async #readRegistry(): Promise<boolean> {
    if (this.#parts.config.mode === 'private' || this.#stopped) return false;
    const lists = await this.#parts.readRegistry();
    const count = Object.keys(lists).length;
    if (count === NODE_ROLES.length) this.#roundsUntilRegistry = ROUNDS_PER_REGISTRY_READ;
    if (count === 0) return false;
    this.#registry = { ...this.#registry, ...lists };
    this.#merge();
    return true;
  }

  /**
   * Updates the list of nodes to those that configuration, allowlist and registry admit now. Nodes that stay
   * admitted keep their state.
   */
  #merge(): void {
    const admitted = mergeNodes(
      this.#parts.config.staticNodes.map(node => ({
        ...node,
        ip: this.#nodes.get(nodeKey(node))?.ip ?? node.ip,
      })),
      this.#parts.allowlist.read(),
      NODE_ROLES.flatMap(role => this.#registry[role] ?? []),
    );
    const nodes = new Map<string, KnownNode>();
    for (const node of admitted) {
      const known = this.#nodes.get(nodeKey(node)) ?? new KnownNode(node);
      known.role = node.role;
      known.source = node.source;
      nodes.set(nodeKey(node), known);
    }
    const previous = this.#nodes;
    this.#nodes = nodes;
    this.#parts.connections.keepOnly(admitted);
    this.#parts.onAdmitted(admitted);
    this.#arrange();
    this.#tellAdmissions(previous);
    this.#tell();
  }

  async #checkAll(): Promise<void> {
    await this.#compareForks(await this.#checkThese(this.nodes()));
  }

  async #checkThese(checked: readonly KnownNode[]): Promise<readonly KnownNode[]> {
    const waiting = [...checked];
    const worker = async () => {
      for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) await this.#check(node);
    };
    await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, worker));
    this.#hadTime = true;
    // This check may have determined the chain, on which it depends which heights count.
    this.#arrange();
    this.#measure(checked);
    this.#tell();
    return checked;
  }

  /** Compares the forks of all nodes, and the heights of the nodes that were just `checked`. */
  async #compareForks(checked: readonly KnownNode[]): Promise<void> {
    if (this.#stopped) return;
    const { connections, config } = this.#parts;
    await this.#run(cancellation =>
      compareForks(this.nodes(), this.#genesisHash, (node, height) =>
        readBlock(node, height, connections, config.timeouts, cancellation),
      ),
    );
    for (const node of this.#nodes.values()) node.isCompared ||= node.health.answers;
    this.#measure(checked);
    this.#tell();
  }

  /** Runs work that `stop` cancels and waits for. */
  async #run<T>(work: (cancellation: Cancellation) => Promise<T>): Promise<T> {
    const cancellation = new Cancellation();
    const running = work(cancellation);
    this.#running.set(cancellation, running);
    try {
      return await running;
    } finally {
      this.#running.delete(cancellation);
    }
  }

  /**
   * Compares heights only after a full round, because they must be of about the same time: a node that is
   * checked later appears to be ahead of the others.
   */
  #measure(checked: readonly KnownNode[]): void {
    const { lag } = this.#parts.config;
    this.#bestHeight = bestHeight(this.nodes(), this.#genesisHash, lag);
    for (const node of checked) {
      node.behind = blocksBehind(node, this.#bestHeight);
      node.standing = standingOf(node.behind, lag);
    }
    this.#arrange();
  }

  #check(node: KnownNode): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    return (node.check ??= this.#run(cancellation => this.#examine(node, cancellation)).then(health => {
      node.check = undefined;
      const { genesisHash } = node.health;
      node.health = { ...(genesisHash !== undefined && { genesisHash }), ...health };
      this.#arrange();
    }));
  }

  async #examine(node: KnownNode, cancellation: Cancellation): Promise<NodeHealth> {
    const { connections, config, onNodeChange } = this.#parts;
    const fault = await resolveNode(node, connections, cancellation, line => onNodeChange(line, 'info'));
    if (fault !== undefined) return { answers: false, fault, checkedAtMs: Date.now() };
    return checkHealth(node, connections, config.timeouts, cancellation);
  }

  #tellAdmissions(previous: ReadonlyMap<string, KnownNode>): void {
    if (!this.#isStarted || this.#stopped) return;
    const { onNodeChange } = this.#parts;
    for (const [key, { role, source }] of this.#nodes) {
      if (!previous.has(key)) onNodeChange(`node ${key} (${role}) is admitted (${source})`, 'info');
    }
    for (const [key, { role }] of previous) {
      if (!this.#nodes.has(key)) onNodeChange(`node ${key} (${role}) is no longer admitted`, 'info');
    }
  }

  /** Logs changes of state. A node that is routed from the start is not logged. */
  #tell(): void {
    if (this.#stopped) return;
    for (const node of this.#nodes.values()) {
      const [state] = stateOf(node, this.#genesisHash);
      if (state === 'unchecked' || state === node.told) continue;
      const isNews = node.told !== undefined || state !== 'routed';
      if (isNews) this.#parts.onNodeChange(describeState(node, this.#genesisHash), 'warn');
      node.told = state;
    }
  }

  #arrange(): void {
    const nodes = this.nodes();
    this.#genesisHash ??= agreeOnGenesis(nodes, this.#hadTime);
    for (const node of nodes) {
      // Between its first check and the comparison, an operator's node may be on another fork.
      const isCompared = node.isCompared || node.source === 'registry';
      node.routed = isCompared && ROUTED.includes(stateOf(node, this.#genesisHash)[0]);
    }
    for (const role of NODE_ROLES) {
      this.#order[role].set(nodes.filter(node => node.routed && node.role === role));
    }
  }
}
