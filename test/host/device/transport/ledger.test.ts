import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type * as Base from '@ledgerhq/hw-transport';
import type * as SpeculosTcp from '@ledgerhq/hw-transport-node-speculos';
import type * as SpeculosHttp from '@ledgerhq/hw-transport-node-speculos-http';
import { Signer, type Transport } from '@zbc-signer/host';
import { accountCases } from '../../../../testkit/repository/vectors.js';
import { getPublicKey } from '../script.js';

// Ledger's ESM builds import files without their extensions, which Node rejects.
const require = createRequire(import.meta.url);
const tcp: typeof SpeculosTcp.default = require('@ledgerhq/hw-transport-node-speculos');
const http: typeof SpeculosHttp.default = require('@ledgerhq/hw-transport-node-speculos-http');

const [command, reply] = getPublicKey(0)[0]!;
const ADDRESS = accountCases[0]?.address;

/**
 * This compiles only if Ledger's base class is assignable to Transport, and with it each of Ledger's
 * transports.
 */
const asTransport: (ledger: Base.default) => Transport = ledger => ledger;

describe("Ledger's transports", () => {
  test('carry the commands of a Signer over TCP', async () => {
    const sockets: Socket[] = [];
    const server: Server = createServer(socket => {
      sockets.push(socket);
      socket.on('data', data => {
        expect(data.toString('hex')).toBe(`00000009${command}`);
        const length = (reply.length / 2 - 2).toString(16).padStart(8, '0');
        socket.write(Buffer.from(length + reply, 'hex'));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const ledger = await tcp.default.open({ apduPort: (server.address() as AddressInfo).port });
    const signer = new Signer(asTransport(ledger));
    expect((await signer.getPublicKey(0)).address).toBe(ADDRESS);
    await signer.close();
    server.close();
    await once(server, 'close');
  });

  test('carry the commands of a Signer over HTTP', async () => {
    const server: HttpServer = createHttpServer(async (message, response) => {
      if (message.method === 'GET') {
        response.flushHeaders();
        return;
      }
      let body = '';
      for await (const chunk of message) {
        body += chunk;
      }
      expect(JSON.parse(body)).toEqual({ data: command });
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: reply }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const apiPort = String((server.address() as AddressInfo).port);
    const ledger = await http.default.open({ baseURL: 'http://127.0.0.1', apiPort });
    const signer = new Signer(asTransport(ledger));
    expect((await signer.getPublicKey(0)).address).toBe(ADDRESS);
    await signer.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
});
