// Joins two UARTs of a machine in QEMU into one serial line for the host and the panel of a board, until the
// line is closed. Usage: join-uarts.js LINE HOST PANEL, with three port numbers of 127.0.0.1.
import { createConnection, createServer } from 'node:net';
import { joinUarts } from './joined-uarts.js';

const [line, host, panel] = process.argv.slice(2).map(Number);
const connect = (port: number | undefined) =>
  createConnection({ port: port!, host: '127.0.0.1', noDelay: true });

createServer({ noDelay: true }, socket => {
  const [ofHost, ofPanel] = [connect(host), connect(panel)];
  joinUarts(socket, ofHost, ofPanel);
  const all = [socket, ofHost, ofPanel];
  const close = () => {
    for (const each of all) each.destroy();
  };
  for (const each of all) each.on('error', close).on('close', close);
}).listen(line, '127.0.0.1');
