import type { AdmittedNode, NodeRole, NodeSource } from '../base/node-address.js';
import { Cancellation } from './cancellation.js';
import type { KnownNode, NodeHealth, Standing } from './node-directory.js';

export const RANKS = 8;

/** A node of the directory; its state is mutable. */
export class CheckedNode implements KnownNode {
  readonly ip: string;
  readonly port: number;
  role: NodeRole;
  source: NodeSource;
  health: NodeHealth = { answers: false, fault: 'not checked yet', checkedAtMs: 0 };
  behind = 0n;
  standing: Standing = 'in-step';
  routed = false;
  /** Set when a request failed since the last check: the node is asked last. */
  suspect = false;
  /** The running check, and what ends it early. */
  check: Promise<void> | undefined;
  cancellation = new Cancellation();

  constructor({ ip, port, role, source }: AdmittedNode) {
    this.ip = ip;
    this.port = port;
    this.role = role;
    this.source = source;
  }

  /**
   * Below RANKS; lower ones are asked first: the operator's nodes before registered ones, then suspects, late
   * nodes last.
   */
  get rank(): number {
    const isLate = this.standing === 'late';
    return (isLate ? 4 : 0) + (this.suspect ? 2 : 0) + (this.source === 'registry' ? 1 : 0);
  }
}
