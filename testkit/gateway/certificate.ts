import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

const VALID_DAYS = 397;
const DAY_MS = 86_400_000;
const DNS_NAME = 2;
const IP_ADDRESS = 7;

/**
 * Returns PEM text of a new self-signed certificate for a host name, for the names below it and for 127.0.0.1,
 * and of its key. It is valid from yesterday for 398 days.
 */
export async function selfSign(hostName: string): Promise<{ cert: string; key: string }> {
  const names = [hostName, `*.${hostName}`];
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'a gateway of a test' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - DAY_MS),
    notAfterDate: new Date(Date.now() + VALID_DAYS * DAY_MS),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          ...names.map(value => ({ type: DNS_NAME, value }) as const),
          { type: IP_ADDRESS, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { cert, key };
}

/** Writes a new certificate and its key into a directory. Returns the field `tls` that names them. */
export async function writeCertificate(directory: string, hostName = 'gateway.test') {
  const made = await selfSign(hostName);
  const tls = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
  writeFileSync(tls.certFile, made.cert);
  writeFileSync(tls.keyFile, made.key);
  return { tls, ...made };
}
