import { Agent, request } from 'undici';
import { formatHostPort } from './base/node-address.js';
import type { GatewayConfig } from './config/config.js';
import { certificateFaults, loadCertificate } from './http/tls.js';
import { readNodeTrust } from './upstream/node-trust.js';

const LIMIT_MS = 3000;
/** Addresses that listen on all networks, each with the loopback address under which they answer. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Reads the files that the configuration names for TLS, as a start does. Returns warnings about the certificate.
 * Throws ConfigError TLS_UNUSABLE.
 */
export async function checkFiles(config: GatewayConfig): Promise<string[]> {
  const certificate = await loadCertificate(config);
  await readNodeTrust(config.staticNodes);
  return certificate === undefined ? [] : [...certificateFaults(certificate, config)];
}

/**
 * Asks the listener of this configuration whether its gateway is alive. Returns the URL that it asked; throws
 * an Error whose message says why there was no such answer.
 */
export async function checkGateway(config: GatewayConfig): Promise<string> {
  const { listenHost, listenPort, gatewayHost, tls } = config;
  const authority = formatHostPort(LOOPBACK[listenHost] ?? listenHost, listenPort);
  const url = `${tls === undefined ? 'http' : 'https'}://${authority}/gateway/health/live`;
  // No secret is sent, and the certificate is for a name under which this process may not reach the listener.
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false, servername: gatewayHost } });
  try {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const { statusCode, body } = await request(url, { dispatcher, signal, headers: { host: gatewayHost } });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${url} answers ${statusCode}`);
    return url;
  } catch (error) {
    const { code, message } = Object(error) as { code?: unknown; message?: string };
    throw new Error(code === undefined ? message : `${url} does not answer (${code})`);
  } finally {
    await dispatcher.destroy();
  }
}
