import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/** The address at which the guest reaches the loopback interface of the host. */
export const HOST_ADDRESS = '10.0.2.2';
const CONTROLLER = '/sys/devices/platform/vhci_hcd.0';
const REQUEST = Buffer.concat([Buffer.from('0111800300000000', 'hex'), Buffer.from('1-1')], 40);
const REPLY_LENGTH = 320;
const FREE = '004';

/** Node's internal handle of a socket. The file descriptor is passed to the kernel. */
interface Handle {
  fd: number;
  readStop(): void;
}

/**
 * Attaches the USB/IP device of a server to the kernel of this machine, like `usbip attach`. Returns the port
 * of the virtual hub, which `detach` needs.
 */
export async function attach(host: string, port: number): Promise<number> {
  const socket = connect(port, host).setNoDelay(true);
  await once(socket, 'connect');
  socket.write(REQUEST);
  const reply = await readReply(socket);
  const handle: Handle = Reflect.get(socket, '_handle');
  // From now on, the kernel reads from this socket, so Node must not.
  handle.readStop();
  const hubPort = freePort();
  const [bus, device, speed] = [296, 300, 304].map(at => reply.readUInt32BE(at)) as [number, number, number];
  writeFileSync(`${CONTROLLER}/attach`, `${hubPort} ${handle.fd} ${(bus << 16) | device} ${speed}`);
  socket.removeAllListeners().on('error', () => undefined);
  socket.destroy();
  return hubPort;
}

/** Detaches a device. `hubPort` is the return value of `attach`. */
export function detach(hubPort: number): void {
  writeFileSync(`${CONTROLLER}/detach`, `${hubPort}`);
}

async function readReply(socket: Socket): Promise<Buffer> {
  let reply = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    reply = Buffer.concat([reply, chunk as Buffer]);
    if (reply.length >= REPLY_LENGTH) break;
  }
  if (reply.length < REPLY_LENGTH || reply.readUInt32BE(4) !== 0)
    throw new Error('the USB/IP server refused to export the device');
  return reply;
}

/**
 * Returns a free port of the virtual hub. Each line of the status is `hub port sta spd …`. Full-speed devices
 * need a hub of type hs.
 */
function freePort(): number {
  const lines = readFileSync(`${CONTROLLER}/status`, 'utf8').split('\n').slice(1);
  const rows = lines.map(line => line.trim().split(/\s+/));
  const free = rows.find(([hub, , state]) => hub === 'hs' && state === FREE);
  if (free === undefined) throw new Error('the virtual USB hub has no free port of type hs');
  return Number(free[1]);
}
