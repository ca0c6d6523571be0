import { nodeKey } from '../base/node-address.js';
import type { StaticNode } from '../config/config.js';
import { readPem, requireCertificate } from '../http/tls.js';

/** The issuers that are accepted for one node's certificate. */
export interface NodeTrust {
  /** PEM text of the issuers, which replaces those that Node.js trusts by default, if it is present. */
  ca?: string;
  minVersion: 'TLSv1.2';
}

/** Reads the issuers of HTTPS nodes. Returns them by `nodeKey`. Throws ConfigError TLS_UNUSABLE. */
export async function readNodeTrust(nodes: readonly StaticNode[]): Promise<Map<string, NodeTrust>> {
  const trust = new Map<string, NodeTrust>();
  for (const [index, node] of nodes.entries()) {
    if (node.tls === undefined) continue;
    const { caFile } = node.tls;
    const field = `static_nodes[${index}].ca_file`;
    const ca = caFile && (await readPem(field, caFile));
    if (ca !== undefined) requireCertificate(field, ca);
    trust.set(nodeKey(node), { minVersion: 'TLSv1.2', ...(ca && { ca }) });
  }
  return trust;
}
