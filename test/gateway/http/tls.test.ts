import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { certificateFaults, checkRenewal, loadCertificate, replaceCertificate } from '#gateway/http/tls.js';

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

const selfSigned = { gatewayHost: 'gateway.example', tls: { selfSigned: true } } as const;

/** Writes a self-signed certificate and its key. Returns the configuration that uses them. */
async function writeCertificate(gatewayHost: string) {
  const certificate = await loadCertificate({ gatewayHost, tls: { selfSigned: true } });
  const tls = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
  writeFileSync(tls.certFile, certificate!.cert);
  writeFileSync(tls.keyFile, certificate!.key);
  return { config: { gatewayHost, tls }, ca: certificate!.cert };
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

describe('a self-signed certificate', () => {
  test.each(['gateway.example', 'ip-192-0-2-1-p8884.gateway.example', 'localhost'])(
    'is accepted for %s',
    async host => {
      const options = await loadCertificate(selfSigned);
      expect(await get(await serve(options!), host, options!.cert)).toBe('hello');
    },
  );

  test('is valid for 127.0.0.1 but not for unrelated names, and expires after 390 to 398 days', async () => {
    const { cert } = (await loadCertificate(selfSigned))!;
    const x509 = new X509Certificate(cert);
    expect(x509.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(x509.checkHost('example')).toBeUndefined();
    expect(x509.checkHost('a.b.gateway.example')).toBeUndefined();
    expect(x509.ca).toBe(false);
    const days = (Date.parse(x509.validTo) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(390);
    expect(days).toBeLessThan(398);
    expect(Date.now() - Date.parse(x509.validFrom)).toBeGreaterThan(2 * 3_600_000);
  });
});

test('the TLS options allow TLS 1.2 and 1.3, and no older version', async () => {
  const port = await serve((await loadCertificate(selfSigned))!);
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
    const first = await writeCertificate('gateway.example');
    const port = await serve((await loadCertificate(first.config))!);
    expect(await get(port, 'gateway.example', first.ca)).toBe('hello');
    const second = await writeCertificate('gateway.example');
    replaceCertificate(server!, (await loadCertificate(second.config))!);
    expect(await get(port, 'gateway.example', second.ca)).toBe('hello');
    await expect(get(port, 'gateway.example', first.ca)).rejects.toThrow();
  });

  test.each([
    ['certFile', 'tls.cert_file: the certificate is unusable'],
    ['keyFile', 'tls.key_file: the key is unusable'],
  ] as const)('is rejected if its %s is invalid, and the message names the field', async (file, message) => {
    const { config } = await writeCertificate('gateway.example');
    writeFileSync(config.tls[file], 'invalid');
    await expect(loadCertificate(config)).rejects.toThrow(message);
  });

  test('is rejected if it does not exist', async () => {
    const tls = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
    await expect(loadCertificate({ gatewayHost: 'x', tls })).rejects.toMatchObject({
      code: 'TLS_UNUSABLE',
      message: `tls.cert_file: cannot read ${tls.certFile} (ENOENT)`,
    });
  });

  test('is rejected with the key of another certificate, and the message does not contain the key', async () => {
    const { config } = await writeCertificate('gateway.example');
    const { key } = (await loadCertificate(selfSigned))!;
    writeFileSync(config.tls.keyFile, key);
    const failure = await loadCertificate(config).catch(error => error);
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
  const faults = async (gatewayHost: string) => [
    ...certificateFaults((await loadCertificate(selfSigned))!, { gatewayHost }),
  ];

  test('is reported if it is for another name, has expired or is not yet valid', async () => {
    expect(await faults('gateway.example')).toEqual([]);
    expect(await faults('127.0.0.1')).toEqual([]);
    expect(await faults('gateway.exampel')).toEqual([
      'tls: the certificate is not for gateway_host, gateway.exampel',
    ]);
    const certificate = (await loadCertificate(selfSigned))!;
    inDays(396);
    expect([...certificateFaults(certificate, selfSigned)]).toEqual([]);
    inDays(398);
    expect([...certificateFaults(certificate, selfSigned)]).toEqual([
      expect.stringMatching(/^tls: the certificate expired on \w+ .*GMT$/),
    ]);
    inDays(-2);
    expect([...certificateFaults(certificate, selfSigned)]).toEqual([
      expect.stringMatching(/^tls: the certificate is not valid before \w+ .*GMT$/),
    ]);
  });

  test('does not replace a certificate that clients accept', async () => {
    const old = (await loadCertificate(selfSigned))!;
    inDays(398);
    const fresh = (await loadCertificate(selfSigned))!;
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
