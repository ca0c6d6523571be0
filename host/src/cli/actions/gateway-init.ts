import { isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import { initGatewayConfig } from '../../../../gateway/src/config/init.js';
import { UsageError } from '../errors.js';
import type { Outcome, Terminal } from '../terminal.js';
import { parsePort } from '../values.js';

/** Of the development network, for whoever names none. */
const DEVNET_NODES = [
  { ip: '127.0.0.1', port: 8884, role: 'full' },
  { ip: '127.0.0.1', port: 8885, role: 'archival' },
];

interface InitOptions {
  file?: string | undefined;
  host?: string | undefined;
  publicUrl?: string | undefined;
  mode?: string | undefined;
  fullNode?: string | string[] | undefined;
  archivalNode?: string | string[] | undefined;
  listenHost?: string | undefined;
  listenPort?: string | undefined;
  certFile?: string | undefined;
  keyFile?: string | undefined;
  selfSigned?: boolean | undefined;
}

/** Never tells the key: a terminal's history and a log of it are read by others. */
export async function initGateway(options: InitOptions, _terminal: Terminal): Promise<Outcome> {
  const file = options.file ?? 'gateway.json';
  await initGatewayConfig(file, fieldsOf(options));
  const next = `zbc-signer gateway --config ${file}`;
  return {
    json: { config: resolve(file), next },
    text: `Wrote ${file} for you alone; the admin key is in it, as admin_api_key.\nNext: ${next}`,
  };
}

function fieldsOf({ host = 'localhost', publicUrl, mode, listenHost, listenPort, ...options }: InitOptions) {
  const nodes = [
    ...parseNodes('--full-node', options.fullNode, 'full'),
    ...parseNodes('--archival-node', options.archivalNode, 'archival'),
  ];
  const tls = tlsOf(options);
  return {
    gateway_host: host,
    ...(publicUrl !== undefined && { public_url: publicUrl }),
    ...(mode !== undefined && { mode }),
    ...(listenHost !== undefined && { listen_host: listenHost }),
    ...(listenPort !== undefined && { listen_port: parsePort('--listen-port', listenPort) }),
    ...(tls !== undefined && { tls }),
    static_nodes: nodes.length === 0 ? DEVNET_NODES : nodes,
  };
}

function tlsOf({ certFile, keyFile, selfSigned }: InitOptions): Record<string, unknown> | undefined {
  const hasFiles = certFile !== undefined || keyFile !== undefined;
  if (selfSigned && hasFiles) {
    throw new UsageError('--self-signed needs no --cert-file and --key-file');
  }
  if (selfSigned) {
    return { self_signed: true };
  }
  if (!hasFiles) {
    return undefined;
  }
  if (certFile === undefined || keyFile === undefined) {
    throw new UsageError('--cert-file and --key-file go together');
  }
  return { cert_file: resolve(certFile), key_file: resolve(keyFile) };
}

function parseNodes(option: string, words: string | string[] | undefined, role: string) {
  return [words ?? []].flat().map(word => {
    const [ip = '', port = '', ...rest] = word.split(':');
    if (!isIPv4(ip) || rest.length > 0) {
      throw new UsageError(`${option} must be IP:PORT, such as 192.0.2.10:8884`);
    }
    return { ip, port: parsePort(option, port), role };
  });
}
