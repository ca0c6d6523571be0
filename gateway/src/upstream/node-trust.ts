import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError, systemCode } from '../base/errors.js';
import { nodeKey } from '../base/node-address.js';
import type { StaticNode } from '../config/config.js';

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
    const ca = caFile && (await readCertificate(`static_nodes[${index}].ca_file`, caFile));
    trust.set(nodeKey(node), { minVersion: 'TLSv1.2', ...(ca && { ca }) });
  }
  return trust;
}

async function readCertificate(field: string, path: string): Promise<string> {
  try {
    const pem = await readFile(path, 'utf8');
    new X509Certificate(pem);
    return pem;
  } catch (error) {
    const reason = systemCode(error);
    throw new ConfigError('TLS_UNUSABLE', `${field}: cannot read a certificate from ${path} (${reason})`);
  }
}
