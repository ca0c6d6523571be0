import { createPrivateKey, X509Certificate } from 'node:crypto';
import { constants, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { createSecureContext, type SecureVersion, Server } from 'node:tls';
import { ConfigError, systemCode } from '../base/errors.js';
import type { GatewayConfig } from '../config/config.js';

const MIN_VERSION: SecureVersion = 'TLSv1.2';

/** PEM text of a certificate, with its chain, and of its key, as options of an HTTPS server. */
export interface Certificate {
  cert: string;
  key: string;
  minVersion: SecureVersion;
}

/** Replaces the certificate for new connections. */
export function replaceCertificate(server: object, options: Certificate): void {
  if (server instanceof Server) server.setSecureContext(options);
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
  return checked({ cert: await read('cert_file', tls.certFile), key: await read('key_file', tls.keyFile) });
}

/** Does not block for a pipe without a writer. */
async function read(field: string, path: string): Promise<string> {
  try {
    return await readFile(path, { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NONBLOCK });
  } catch (error) {
    throw new ConfigError('TLS_UNUSABLE', `tls.${field}: cannot read ${path} (${systemCode(error)})`);
  }
}

/** Detects a key that does not belong to the certificate before the first client connects. */
function checked({ cert, key }: Omit<Certificate, 'minVersion'>): Certificate {
  tryOut('tls.cert_file: the certificate is unusable', () => createSecureContext({ cert }));
  tryOut('tls.cert_file: the certificate is unusable', () => new X509Certificate(cert));
  tryOut('tls.key_file: the key is unusable', () => createPrivateKey(key));
  const both = { cert, key };
  tryOut('tls.key_file: the key does not belong to the certificate', () => createSecureContext(both));
  return { cert, key, minVersion: MIN_VERSION };
}

function tryOut(fault: string, use: () => unknown): void {
  try {
    use();
  } catch (error) {
    throw new ConfigError('TLS_UNUSABLE', `${fault} (${systemCode(error)})`);
  }
}
