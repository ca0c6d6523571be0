import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, startGateway } from '#gateway/gateway.js';
import { VIA } from '#gateway/proxy/request-headers.js';
import { gatewayConfig } from '../../../testkit/gateway/gateway-config.js';
import type { ForwardedRequest } from './hostile-case.js';
import { RawNode } from './raw-node.js';
import { converse, type WireReply } from './wire.js';

/** Content of every file that must not be served. */
export const CANARY = 'the canary sings';
const KEY = `adminKEY${'k'.repeat(35)}`;
const ENTRY_LENGTH = (stranger: number) => `{"ip":"127.0.0.1","port":${stranger}}`.length;

/**
 * A gateway with an archival and a full node, directories that contain traps, and a node that the gateway
 * does not admit.
 */
export class HostileFixture {
  readonly errors: Error[] = [];
  readonly #directory: string;
  readonly #gateway: Gateway;
  #clients = 0;
  readonly archival: RawNode;
  readonly full: RawNode;
  readonly stranger: RawNode;

  private constructor(
    directory: string,
    gateway: Gateway,
    [archival, full, stranger]: RawNode[],
    errors: Error[],
  ) {
    this.#directory = directory;
    this.#gateway = gateway;
    this.archival = archival!;
    this.full = full!;
    this.stranger = stranger!;
    this.errors = errors;
  }

  static async open(): Promise<HostileFixture> {
    const directory = layTraps();
    const nodes = await Promise.all([
      RawNode.start('archival'),
      RawNode.start('full'),
      RawNode.start('full'),
    ]);
    const errors: Error[] = [];
    const config = gatewayConfig({
      adminApiKey: KEY,
      nodePort: nodes[2]!.port,
      staticNodes: nodes.slice(0, 2).map(({ port, role }) => ({ ip: '127.0.0.1', port, role })),
      downloadsDir: join(directory, 'downloads'),
      releasesDir: join(directory, 'releases'),
    });
    const gateway = await startGateway(config, { onError: error => errors.push(error) });
    return new HostileFixture(directory, gateway, nodes, errors);
  }

  /** Replaces the placeholders for ports and keys. */
  fill(text: string): string {
    const { archival, full, stranger } = this;
    return text
      .replaceAll('{full+65536}', String(full.port + 65_536))
      .replaceAll('{full}', String(full.port))
      .replaceAll('{archival}', String(archival.port))
      .replaceAll('{stranger}', String(stranger.port))
      .replaceAll('{entry}', String(ENTRY_LENGTH(stranger.port)))
      .replaceAll('{key-}', KEY.slice(0, -1))
      .replaceAll('{KEY}', KEY.toUpperCase())
      .replaceAll('{key}', KEY);
  }

  get key(): string {
    return KEY;
  }

  /** Sends bytes. Each call uses another client address, because wrong keys are limited by address. */
  send(bytes: string): Promise<WireReply[]> {
    const client = (this.#clients += 1);
    const address = `127.1.${client >> 8}.${client & 255}`;
    return converse(Number(new URL(this.#gateway.url).port), address, bytes);
  }

  allowlist(): string[] {
    return this.#gateway.context.nodes.nodes().map(({ ip, port }) => `${ip}:${port}`);
  }

  async close(): Promise<void> {
    await this.#gateway.stop();
    await Promise.all([this.archival, this.full, this.stranger].map(node => node.stop()));
    rmSync(this.#directory, { recursive: true });
  }
}

/**
 * Returns the exact bytes that a node must receive. Of the client's request, they contain only the listed
 * parts.
 */
export function forwardedBytes(
  { port }: RawNode,
  { method, path, headers = [], body }: ForwardedRequest,
): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `connection: ${method === 'GET' ? 'keep-alive' : 'close'}`,
    ...(headers.some(line => line.startsWith('via: ')) ? [] : [`via: ${VIA}`]),
    ...headers,
    ...(body === undefined ? [] : [`content-length: ${body.length}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** Creates two published directories, with everything in and around them that could lead out of them. */
function layTraps(): string {
  const directory = mkdtempSync(join(tmpdir(), 'zbc-hostile-'));
  const inside = (...path: string[]) => join(directory, ...path);
  for (const path of [
    'outside',
    'downloads/inside',
    'releases/1.0.0/linux-amd64',
    'releases/1.0.0/linked-file',
  ]) {
    mkdirSync(inside(path), { recursive: true });
  }
  for (const path of ['canary.txt', 'outside/canary.txt', 'downloads/.hidden', 'downloads/inside/file.txt']) {
    writeFileSync(inside(path), CANARY);
  }
  writeFileSync(inside('downloads/file.txt'), 'published');
  writeFileSync(inside('releases/1.0.0/linux-amd64/bundle.tar.gz'), 'published');
  symlinkSync(inside('canary.txt'), inside('downloads/link-out'));
  symlinkSync(inside('downloads/.hidden'), inside('downloads/link-in'));
  symlinkSync(inside('outside'), inside('downloads/directory-out'));
  symlinkSync(inside('outside'), inside('releases/2.0.0'));
  symlinkSync(inside('outside'), inside('releases/1.0.0/linked'));
  symlinkSync(inside('canary.txt'), inside('releases/1.0.0/linked-file/bundle.tar.gz'));
  execFileSync('mkfifo', [inside('downloads/pipe')]);
  return directory;
}
