import type { AdmittedNode, NodeRole, NodeSource } from './node-address.js';
import type { KnownNode, NodeHealth } from './node-directory.js';

/** A node of the directory, whose state changes under whoever holds it. */
export class CheckedNode implements KnownNode {
  readonly ip: string;
  readonly port: number;
  role: NodeRole;
  source: NodeSource;
  health: NodeHealth = { answers: false, fault: 'was not checked yet', checkedAtMs: 0 };
  routed = false;
  /** A request failed on it since its last check: it is asked after all others. */
  suspect = false;
  /** The check that is running. */
  check: Promise<void> | undefined;

  constructor({ ip, port, role, source }: AdmittedNode) {
    this.ip = ip;
    this.port = port;
    this.role = role;
    this.source = source;
  }

  /** What the operator admitted is asked before what strangers registered. */
  get rank(): number {
    return (this.suspect ? 2 : 0) + (this.source === 'registry' ? 1 : 0);
  }
}
