import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Exchange } from '../exchange.js';
import { PlainConnection, type PlainServer, type PlainTimes } from './plain-connection.js';

/** What Node's server says of a client whose request does not come in time. */
const TIMEOUT_CODE = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Puts `answer` in front of Node's server: it is asked for each plain GET of the connections that `event`
 * tells of, and what it leaves goes to Node's server with its connection. Returns Node's own listener.
 */
export function servePlain(
  server: Server,
  event: 'connection' | 'secureConnection',
  { answer, times }: { answer: (exchange: Exchange) => boolean; times: PlainTimes },
): (connection: Duplex) => void {
  const [listener] = server.listeners(event);
  server.removeAllListeners(event);
  const serve = (connection: Duplex): void => void listener!.call(server, connection);
  const connections = new Set<PlainConnection>();
  const plain: PlainServer = {
    ...times,
    answer,
    serve,
    isClosing: () => !server.listening,
    onSilence: socket => {
      const error = Object.assign(new Error('the client sends no request'), { code: TIMEOUT_CODE });
      if (!server.emit('clientError', error, socket)) socket.destroy();
    },
    forget: connection => connections.delete(connection),
  };
  server.on(event, (socket: Socket) => connections.add(new PlainConnection(socket, plain)));
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    for (const connection of connections) if (connection.isIdle) connection.destroy();
  };
  const closeAll = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    closeAll();
    for (const connection of connections) connection.destroy();
  };
  return serve;
}
