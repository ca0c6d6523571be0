import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError, systemCode } from '../base/errors.js';
import { nodeKey } from '../base/node-address.js';
import type { StaticNode } from '../config/schema.js';

/** The issuers that are accepted for one node's certificate. */
export interface NodeTrust {
  /** PEM text of the issuers, which replaces those that Node.js trusts by default. */
  ca: string;
  servername?: string;
  minVersion: 'TLSv1.2';
}

/** Reads the issuers of HTTPS nodes. Returns them by `nodeKey`. Throws ConfigError TLS_UNUSABLE. */
export async function readNodeTrust(nodes: readonly StaticNode[]): Promise<Map<string, NodeTrust>> {
  const trust = new Map<string, NodeTrust>();
  for (const [index, node] of nodes.entries()) {
    if (node.tls === undefined) continue;
    const { caFile, serverName } = node.tls;
    const ca = await readCertificate(`static_nodes[${index}].tls.ca_file`, caFile);
    const name = serverName !== undefined && { servername: serverName };
    trust.set(nodeKey(node), { ca, minVersion: 'TLSv1.2', ...name });
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
