import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { Agent, fetch as undiciFetch } from 'undici';
import { GatewayClient } from '#host/gateway/client.js';

const DAY_MS = 86_400_000;
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Certificate {
  cert: string;
  private: string;
}

function certificate({
  ip = '127.0.0.1',
  fromDays = -2,
  toDays = 2,
  issuer = undefined as Certificate | undefined,
} = {}) {
  return generate([{ name: 'commonName', value: issuer ? 'a gateway' : 'an issuer' }], {
    notBeforeDate: new Date(Date.now() + fromDays * DAY_MS),
    notAfterDate: new Date(Date.now() + toDays * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: issuer === undefined },
      { name: 'subjectAltName', altNames: [{ type: 7, ip }] },
    ],
    ...(issuer && { ca: { cert: issuer.cert, key: issuer.private } }),
  });
}

/** Sends a request to a gateway with this certificate, from a host that trusts `ca`. */
async function askWith({ cert, private: key }: Certificate, ca?: string) {
  let requests = 0;
  server = createServer({ cert, key }, (_request, response) => {
    requests += 1;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ connect: ca === undefined ? {} : { ca } });
  const fetch = ((input: string, init: object) =>
    undiciFetch(input, { ...init, dispatcher: agent })) as unknown as typeof globalThis.fetch;
  const { port } = server.address() as AddressInfo;
  const failure = await new GatewayClient(`https://127.0.0.1:${port}`, { fetch })
    .nodeInfo()
    .catch(error => error);
  await agent.destroy();
  return { code: failure.code, words: failure.message.replace(/^.*: /, ''), requests };
}

const untrusted = (words: string) => ({ code: 'GATEWAY_UNTRUSTED', words, requests: 0 });

test('a request to a gateway with a known certificate is sent', async () => {
  const known = await certificate();
  expect(await askWith(known, known.cert)).toMatchObject({ code: 'GATEWAY_MALFORMED', requests: 1 });
});

test.each([
  ['signed by itself', {}, 'self-signed certificate'],
  ['that has expired', { toDays: -1 }, 'the certificate has expired'],
  ['that is not valid yet', { fromDays: 1 }, 'the certificate is not valid yet'],
  ['for another address', { ip: '192.0.2.1' }, 'the certificate is for another host name'],
] as const)('a certificate %s is not trusted, and nothing is sent', async (_name, fields, words) => {
  const made = await certificate(fields);
  const isKnown = Object.keys(fields).length > 0;
  expect(await askWith(made, isKnown ? made.cert : undefined)).toEqual(untrusted(words));
});

test('a certificate is not trusted if the certificate of its issuer is missing', async () => {
  const made = await certificate({ issuer: await certificate() });
  expect(await askWith(made)).toEqual(untrusted('the issuer certificate is missing'));
});

test('a certificate is not trusted if its issuer is not trusted', async () => {
  const issuer = await certificate();
  const made = await certificate({ issuer });
  expect(await askWith({ ...made, cert: `${made.cert}\n${issuer.cert}` })).toEqual(
    untrusted('unknown certificate issuer'),
  );
});
