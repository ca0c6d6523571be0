import { createPrivateKey, X509Certificate } from 'node:crypto';
import { constants, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { createSecureContext, type SecureVersion } from 'node:tls';
import { ConfigError, systemCode } from '../base/errors.js';
import { nodeKey } from '../base/node-address.js';
import type { GatewayConfig, StaticNode } from '../config/config.js';

const MIN_VERSION: SecureVersion = 'TLSv1.2';

/** PEM text of a certificate, with its chain, and of its key, as options of an HTTPS server. */
export interface Certificate {
  cert: string;
  key: string;
  minVersion: SecureVersion;
}

/** Returns the time when the first certificate of the PEM text expires, in Unix milliseconds. */
export function expiryOf({ cert }: Pick<Certificate, 'cert'>): number {
  return Date.parse(new X509Certificate(cert).validTo);
}

/**
 * Yields each reason for which clients will reject the certificate: its validity period, or its names, which
 * must include `gatewayHost`.
 */
export function* certificateFaults(
  { cert }: Pick<Certificate, 'cert'>,
  { gatewayHost }: Pick<GatewayConfig, 'gatewayHost'>,
): Iterable<string> {
  const x509 = new X509Certificate(cert);
  const nowMs = Date.now();
  if (nowMs < Date.parse(x509.validFrom)) yield `tls: the certificate is not valid before ${x509.validFrom}`;
  if (isExpired({ cert })) yield `tls: the certificate expired on ${x509.validTo}`;
  const name = isIP(gatewayHost) === 0 ? x509.checkHost(gatewayHost) : x509.checkIP(gatewayHost);
  if (name === undefined) yield `tls: the certificate is not for gateway_host, ${gatewayHost}`;
}

/**
 * Throws ConfigError TLS_UNUSABLE if the next certificate has expired, unless the present one has expired
 * too.
 */
export function checkRenewal(next: Certificate | undefined, present: Certificate | undefined): void {
  if (next === undefined || !isExpired(next) || (present !== undefined && isExpired(present))) return;
  const { validTo } = new X509Certificate(next.cert);
  throw new ConfigError('TLS_UNUSABLE', `tls.cert_file: the certificate expired on ${validTo}`);
}

function isExpired(certificate: Pick<Certificate, 'cert'>): boolean {
  return expiryOf(certificate) <= Date.now();
}

/** Loads the configured certificate; undefined without TLS. Throws ConfigError TLS_UNUSABLE. */
export async function loadCertificate({ tls }: Pick<GatewayConfig, 'tls'>): Promise<Certificate | undefined> {
  if (tls === undefined) return undefined;
  return checked({
    cert: await readPem('tls.cert_file', tls.certFile),
    key: await readPem('tls.key_file', tls.keyFile),
  });
}

/** Reads a file that a field names. Does not block for a pipe without a writer. Throws ConfigError TLS_UNUSABLE. */
async function readPem(field: string, path: string): Promise<string> {
  try {
    return await readFile(path, { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NONBLOCK });
  } catch (error) {
    throw new ConfigError('TLS_UNUSABLE', `${field}: cannot read ${path} (${systemCode(error)})`);
  }
}

/** Detects a key that does not belong to the certificate before the first client connects. */
function checked({ cert, key }: Omit<Certificate, 'minVersion'>): Certificate {
  tryOut('tls.cert_file: the certificate is unusable', () => createSecureContext({ cert }));
  requireCertificate('tls.cert_file', cert);
  tryOut('tls.key_file: the key is unusable', () => createPrivateKey(key));
  const both = { cert, key };
  tryOut('tls.key_file: the key does not belong to the certificate', () => createSecureContext(both));
  return { cert, key, minVersion: MIN_VERSION };
}

/** Throws ConfigError TLS_UNUSABLE unless the PEM text begins with a certificate. */
function requireCertificate(field: string, pem: string): void {
  tryOut(`${field}: the certificate is unusable`, () => new X509Certificate(pem));
}

function tryOut(fault: string, use: () => unknown): void {
  try {
    use();
  } catch (error) {
    throw new ConfigError('TLS_UNUSABLE', `${fault} (${systemCode(error)})`);
  }
}

/** The issuers that are accepted for one node's certificate. */
export interface NodeTrust {
  /** PEM text of the issuers, which replaces those that Node.js trusts by default, if it is present. */
  ca?: string;
  minVersion: SecureVersion;
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
    trust.set(nodeKey(node), { minVersion: MIN_VERSION, ...(ca && { ca }) });
  }
  return trust;
}
