import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureVersion, Server } from 'node:tls';
import type { GatewayConfig } from '../config/config.js';
import { ConfigError, systemCode } from '../errors.js';

const MIN_VERSION: SecureVersion = 'TLSv1.2';
/** Browsers take no certificate for longer. */
const SELF_SIGNED_DAYS = 397;
const DAY_MS = 86_400_000;
const DNS_NAME = 2;
const IP_ADDRESS = 7;

/** PEM text of a certificate, with its chain, and of its key. */
export interface Certificate {
  cert: string;
  key: string;
}

export interface TlsOptions extends Certificate {
  minVersion: SecureVersion;
}

type Where = Pick<GatewayConfig, 'tls' | 'gatewayHost'>;

/** What an HTTPS server is created with, for a certificate in hand or the one of the configuration; undefined where that has no TLS. Throws ConfigError TLS_UNUSABLE. */
export async function createTls(config: Where, inHand?: Certificate): Promise<TlsOptions | undefined> {
  const certificate = inHand ?? (await loadCertificate(config));
  return certificate && { ...certificate, minVersion: MIN_VERSION };
}

/** New connections get the certificate in hand, or what the files hold now; when that cannot be used, the old one stays and it throws. */
export async function renewTls(server: object, config: Where, inHand?: Certificate): Promise<void> {
  const options = await createTls(config, inHand);
  if (options !== undefined && server instanceof Server) {
    server.setSecureContext(options);
  }
}

export async function loadCertificate({ tls, gatewayHost }: Where): Promise<Certificate | undefined> {
  if (tls === undefined) {
    return undefined;
  }
  return 'selfSigned' in tls
    ? signForItself(gatewayHost)
    : checked({ cert: await read('cert_file', tls.certFile), key: await read('key_file', tls.keyFile) });
}

async function read(field: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ConfigError('TLS_UNUSABLE', `tls.${field}: cannot read ${path} (${systemCode(error)})`);
  }
}

/** A key that is not the certificate's is found here and not by the first client. */
function checked(certificate: Certificate): Certificate {
  try {
    createSecureContext(certificate);
    return certificate;
  } catch (error) {
    const reason = systemCode(error);
    throw new ConfigError('TLS_UNUSABLE', `tls: the certificate and its key cannot be used (${reason})`);
  }
}

/** For `gatewayHost`, the hosts of its nodes, and this computer. */
async function signForItself(gatewayHost: string): Promise<Certificate> {
  const { generate } = await import('selfsigned');
  const names = [...new Set([gatewayHost, `*.${gatewayHost}`, 'localhost'])];
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'zbc-signer gateway' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + SELF_SIGNED_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...names.map(value => ({ type: DNS_NAME, value }) as const),
          { type: IP_ADDRESS, ip: '127.0.0.1' },
          { type: IP_ADDRESS, ip: '::1' },
        ],
      },
    ],
  });
  return { cert, key };
}
