import { createServer, type Server } from 'node:net';
import { type Attachment, UsbipConnection, type UsbipDevice } from './usbip-connection.js';

/** A USB/IP server; `closeSockets` unplugs the device from every machine. */
export type UsbipServer = Server & {
  /** Unplugs the device. */
  closeSockets(): void;
};

/**
 * Offers a device over USB/IP 1.1.1, as bus id 1-1: `usbip attach` plugs it into a Linux machine. One host at
 * a time; a second import is refused. USB/IP authenticates nobody, so listen on the loopback interface.
 */
export function createUsbipServer(device: UsbipDevice): UsbipServer {
  const attachment: Attachment = { owner: undefined };
  const connections = new Set<UsbipConnection>();
  const server = createServer(socket => {
    const connection = new UsbipConnection(socket, device, attachment);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  return Object.assign(server, {
    closeSockets() {
      for (const connection of connections) connection.close();
    },
  });
}
