import { execFileSync } from 'node:child_process';
import { closeSync, openSync, unlinkSync } from 'node:fs';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { GatewayConfig } from '#gateway/config/config.js';
import { writeCertificate } from '../../testkit/gateway/certificate.js';
import { GatewayFixture } from '../../testkit/gateway/gateway-fixture.js';
import { TestDirectory } from './routes/test-directory.js';

const DAY_MS = 86_400_000;

let directory: TestDirectory;
let fixture: GatewayFixture;
let warnings: string[];
beforeEach(() => {
  directory = new TestDirectory();
  warnings = [];
});
afterEach(async () => {
  await fixture.close();
  directory.remove();
});

/** Writes a certificate that was made `daysAgo` days ago and is valid for 397 days. */
async function write(daysAgo: number, gatewayHost = 'gateway.test') {
  const { now } = Date;
  Date.now = () => now() - daysAgo * DAY_MS;
  const { tls } = await writeCertificate(directory.path, gatewayHost);
  Date.now = now;
  return tls;
}

async function open(tls: GatewayConfig['tls']): Promise<void> {
  const stream = new Writable({
    write(line, _coding, done) {
      const { level, msg } = JSON.parse(String(line));
      if (level >= 40 && msg.startsWith('tls')) warnings.push(msg);
      done();
    },
  });
  const logger = { level: 'warn', stream };
  fixture = await GatewayFixture.open([], { tls: tls! }, { logger });
}

const EXPIRED = expect.stringContaining('the certificate expired on ');

test('an expired certificate is served with a warning at startup, but never replaces a valid one', async () => {
  await open(await write(400));
  expect(warnings).toEqual([EXPIRED]);
  await write(0);
  await fixture.gateway.renewCertificate();
  await write(400);
  await expect(fixture.gateway.renewCertificate()).rejects.toMatchObject({
    code: 'TLS_UNUSABLE',
    message: EXPIRED,
  });
  expect(warnings).toHaveLength(1);
});

test('a renewal ends if the certificate file is a pipe', async () => {
  const tls = await write(0);
  await open(tls);
  unlinkSync(tls.certFile);
  execFileSync('mkfifo', [tls.certFile]);
  const code = fixture.gateway.renewCertificate().catch(error => error.code);
  // Opening the pipe ends the wait of a reader for a writer.
  const late = pause(2000).then(() => closeSync(openSync(tls!.certFile, 'r+')));
  expect(await Promise.race([code, late])).toBe('TLS_UNUSABLE');
});

test('a certificate for another name causes a warning at startup and at every renewal', async () => {
  const warning = 'tls: the certificate is not for gateway_host, gateway.test';
  await open(await write(0, 'gateway.tset'));
  expect(warnings).toEqual([warning]);
  await fixture.gateway.renewCertificate();
  expect(warnings).toEqual([warning, warning]);
  await write(0);
  await fixture.gateway.renewCertificate();
  expect(warnings).toHaveLength(2);
});
