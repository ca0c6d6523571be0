import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/** The guest's address of the host's loopback interface. */
export const HOST_ADDRESS = '10.0.2.2';
const CONTROLLER = '/sys/devices/platform/vhci_hcd.0';
const REQUEST = Buffer.concat([Buffer.from('0111800300000000', 'hex'), Buffer.from('1-1')], 40);
const REPLY_LENGTH = 320;
const FREE = '004';

/** Node's handle of a socket, whose descriptor is passed to the kernel. */
interface Handle {
  fd: number;
  readStop(): void;
}

/**
 * Attaches the USB/IP device of a server to this machine's kernel, like `usbip attach`; returns the port for
 * detaching.
 */
export async function attach(host: string, port: number): Promise<number> {
  const socket = connect(port, host).setNoDelay(true);
  await once(socket, 'connect');
  socket.write(REQUEST);
  const reply = await readReply(socket);
  const handle: Handle = Reflect.get(socket, '_handle');
  // From here on, the kernel reads this socket.
  handle.readStop();
  const hubPort = freePort();
  const [bus, device, speed] = [296, 300, 304].map(at => reply.readUInt32BE(at)) as [number, number, number];
  writeFileSync(`${CONTROLLER}/attach`, `${hubPort} ${handle.fd} ${(bus << 16) | device} ${speed}`);
  socket.removeAllListeners().on('error', () => undefined);
  socket.destroy();
  return hubPort;
}

/** Detaches a device of `attach`. */
export function detach(hubPort: number): void {
  writeFileSync(`${CONTROLLER}/detach`, `${hubPort}`);
}

async function readReply(socket: Socket): Promise<Buffer> {
  let reply = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    reply = Buffer.concat([reply, chunk as Buffer]);
    if (reply.length >= REPLY_LENGTH) break;
  }
  if (reply.length < REPLY_LENGTH || reply.readUInt32BE(4) !== 0) throw new Error('the import was refused');
  return reply;
}

/** Each line is `hub port sta spd …`; full-speed devices use a hub of type hs. */
function freePort(): number {
  const lines = readFileSync(`${CONTROLLER}/status`, 'utf8').split('\n').slice(1);
  const rows = lines.map(line => line.trim().split(/\s+/));
  const free = rows.find(([hub, , state]) => hub === 'hs' && state === FREE);
  if (free === undefined) throw new Error('no port is free');
  return Number(free[1]);
}
