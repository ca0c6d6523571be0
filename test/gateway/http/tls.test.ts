import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { certificateFaults, checkRenewal, loadCertificate, replaceCertificate } from '#gateway/http/tls.js';
import { selfSign, writeCertificate } from '../../../testkit/gateway/certificate.js';

let directory: string;
let server: Server | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

const gatewayHost = 'gateway.example';

/** Writes a certificate and loads it. */
async function made() {
  const { tls } = await writeCertificate(directory, gatewayHost);
  return (await loadCertificate({ tls }))!;
}

async function serve(options: object): Promise<number> {
  server = createServer(options, (_request, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function get(port: number, host: string, ca: string): Promise<string> {
  const asked = request({ host: '127.0.0.1', port, servername: host, ca, agent: false }).end();
  // A refused connection may emit two errors, and `once` would handle only the first.
  asked.on('error', () => undefined);
  const [response] = await once(asked, 'response');
  return (await response.toArray()).join('');
}

test('the TLS options allow TLS 1.2 and 1.3, and no older version', async () => {
  const port = await serve(await made());
  const speak = async (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') => {
    // The client must allow the older versions; otherwise it would itself refuse them.
    const ciphers = 'DEFAULT:@SECLEVEL=0';
    const options = { minVersion: version, maxVersion: version, ciphers, rejectUnauthorized: false };
    const socket: TLSSocket = connect(port, '127.0.0.1', options);
    try {
      await once(socket, 'secureConnect');
      return socket.getProtocol();
    } catch (error) {
      return Reflect.get(Object(error), 'code');
    } finally {
      socket.destroy();
    }
  };
  expect(await speak('TLSv1.2')).toBe('TLSv1.2');
  expect(await speak('TLSv1.3')).toBe('TLSv1.3');
  expect(await speak('TLSv1.1')).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
});

describe('a certificate from files', () => {
  test('is served, and replaced without a restart', async () => {
    const first = await made();
    const port = await serve(first);
    expect(await get(port, gatewayHost, first.cert)).toBe('hello');
    const second = await made();
    replaceCertificate(server!, second);
    expect(await get(port, gatewayHost, second.cert)).toBe('hello');
    await expect(get(port, gatewayHost, first.cert)).rejects.toThrow();
  });

  test.each([
    ['certFile', 'tls.cert_file: the certificate is unusable'],
    ['keyFile', 'tls.key_file: the key is unusable'],
  ] as const)('is rejected if its %s is invalid, and the message names the field', async (file, message) => {
    const { tls } = await writeCertificate(directory);
    for (const content of ['invalid', '']) {
      writeFileSync(tls[file], content);
      await expect(loadCertificate({ tls })).rejects.toThrow(message);
    }
  });

  test('is rejected if it does not exist', async () => {
    const tls = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
    await expect(loadCertificate({ tls })).rejects.toMatchObject({
      code: 'TLS_UNUSABLE',
      message: `tls.cert_file: cannot read ${tls.certFile} (ENOENT)`,
    });
  });

  test('is rejected with the key of another certificate, and the message does not contain the key', async () => {
    const { tls } = await writeCertificate(directory);
    const { key } = await selfSign(gatewayHost);
    writeFileSync(tls.keyFile, key);
    const failure = await loadCertificate({ tls }).catch(error => error);
    expect(failure).toMatchObject({
      code: 'TLS_UNUSABLE',
      message: expect.stringContaining('KEY_VALUES_MISMATCH'),
    });
    expect(failure.message).not.toContain(key.split('\n')[1]!);
  });
});

describe('a certificate that clients would refuse', () => {
  const DAY_MS = 86_400_000;
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });
  const inDays = (days: number) => {
    Date.now = () => now() + days * DAY_MS;
  };
  const faults = async (host: string) => [...certificateFaults(await made(), { gatewayHost: host })];

  test('is reported if it is for another name, has expired or is not yet valid', async () => {
    expect(await faults('gateway.example')).toEqual([]);
    expect(await faults('127.0.0.1')).toEqual([]);
    expect(await faults('gateway.exampel')).toEqual([
      'tls: the certificate is not for gateway_host, gateway.exampel',
    ]);
    const certificate = await made();
    inDays(396);
    expect([...certificateFaults(certificate, { gatewayHost })]).toEqual([]);
    inDays(398);
    expect([...certificateFaults(certificate, { gatewayHost })]).toEqual([
      expect.stringMatching(/^tls: the certificate expired on \w+ .*GMT$/),
    ]);
    inDays(-2);
    expect([...certificateFaults(certificate, { gatewayHost })]).toEqual([
      expect.stringMatching(/^tls: the certificate is not valid before \w+ .*GMT$/),
    ]);
  });

  test('does not replace a certificate that clients accept', async () => {
    const old = await made();
    inDays(398);
    const fresh = await made();
    const expired = expect.objectContaining({
      code: 'TLS_UNUSABLE',
      message: expect.stringContaining('tls.cert_file: the certificate expired on '),
    });
    expect(() => checkRenewal(old, fresh)).toThrow(expired);
    expect(() => checkRenewal(old, undefined)).toThrow(expired);
    for (const present of [old, fresh, undefined]) checkRenewal(fresh, present);
    checkRenewal(old, old);
    checkRenewal(undefined, undefined);
  });
});
