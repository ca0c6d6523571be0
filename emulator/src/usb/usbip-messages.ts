import type { Descriptors } from './descriptors.js';

// USB/IP 1.1.1 according to the kernel's documentation of the protocol. Integers are big-endian.
const VERSION = 0x0111;
export const REQUEST_DEVICE_LIST = 0x8005;
export const REQUEST_IMPORT = 0x8003;
const REPLY_DEVICE_LIST = 0x0005;
const REPLY_IMPORT = 0x0003;
export const COMMAND_SUBMIT = 1;
export const COMMAND_UNLINK = 2;
const REPLY_SUBMIT = 3;
const REPLY_UNLINK = 4;

export const REQUEST_LENGTH = 8;
export const BUS_ID_LENGTH = 32;
export const COMMAND_LENGTH = 48;
const DEVICE_LENGTH = 312;

const BUS = 1;
const DEVICE_NUMBER = 2;
export const BUS_ID = '1-1';
export const DEVICE_ID = (BUS << 16) | DEVICE_NUMBER;
const FULL_SPEED = 2;
const NOT_AVAILABLE = 1;

/** The descriptors that a server sends before the import. */
export type OfferedDevice = Pick<Descriptors, 'device' | 'configuration'>;

/** A command of the host: it submits a transfer, or unlinks one. */
export interface Command {
  command: number;
  sequence: number;
  device: number;
  isIn: boolean;
  endpoint: number;
  /** Length of the data that follows the command, or of the data that it requests. */
  length: number;
  /** The sequence number of the transfer that an unlink command withdraws. */
  unlinked: number;
  setup: Buffer;
}

export function parseCommand(bytes: Buffer): Command {
  return {
    command: bytes.readUInt32BE(0),
    sequence: bytes.readUInt32BE(4),
    device: bytes.readUInt32BE(8),
    isIn: bytes.readUInt32BE(12) === 1,
    endpoint: bytes.readUInt32BE(16),
    unlinked: bytes.readUInt32BE(20),
    length: bytes.readUInt32BE(24),
    setup: bytes.subarray(40, 48),
  };
}

/**
 * The end of a transfer. `status` is 0 or a negative errno, and `length` is the number of transferred bytes.
 */
export function formatSubmitReply(
  sequence: number,
  status: number,
  length: number,
  data?: Uint8Array,
): Buffer {
  const header = replyHeader(REPLY_SUBMIT, sequence, status);
  header.writeUInt32BE(length, 24);
  return data === undefined ? header : Buffer.concat([header, data]);
}

export function formatUnlinkReply(sequence: number, status: number): Buffer {
  return replyHeader(REPLY_UNLINK, sequence, status);
}

export function formatDeviceList(descriptors: OfferedDevice): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(1);
  return Buffer.concat([
    operation(REPLY_DEVICE_LIST),
    count,
    formatDevice(descriptors),
    interfaceClasses(descriptors),
  ]);
}

export function formatImport(descriptors: OfferedDevice): Buffer {
  return Buffer.concat([operation(REPLY_IMPORT), formatDevice(descriptors)]);
}

/** Only the header, because there is no such device or another host has imported it. */
export function formatImportRefusal(): Buffer {
  return operation(REPLY_IMPORT, NOT_AVAILABLE);
}

function replyHeader(command: number, sequence: number, status: number): Buffer {
  const header = Buffer.alloc(COMMAND_LENGTH);
  header.writeUInt32BE(command, 0);
  header.writeUInt32BE(sequence, 4);
  header.writeInt32BE(status, 20);
  return header;
}

function operation(code: number, status = 0): Buffer {
  const header = Buffer.alloc(REQUEST_LENGTH);
  header.writeUInt16BE(VERSION, 0);
  header.writeUInt16BE(code, 2);
  header.writeUInt32BE(status, 4);
  return header;
}

function formatDevice(descriptors: OfferedDevice): Buffer {
  const device = Buffer.from(descriptors.device);
  const bytes = Buffer.alloc(DEVICE_LENGTH);
  bytes.write(`/sys/devices/zbc-signer/usb${BUS}/${BUS_ID}`, 0);
  bytes.write(BUS_ID, 256);
  bytes.writeUInt32BE(BUS, 288);
  bytes.writeUInt32BE(DEVICE_NUMBER, 292);
  bytes.writeUInt32BE(FULL_SPEED, 296);
  bytes.writeUInt16BE(device.readUInt16LE(8), 300);
  bytes.writeUInt16BE(device.readUInt16LE(10), 302);
  bytes.writeUInt16BE(device.readUInt16LE(12), 304);
  device.copy(bytes, 306, 4, 7);
  bytes.set([1, 1, interfacesOf(descriptors).length], 309);
  return bytes;
}

/** Class, subclass and protocol of each interface, and a byte of padding. */
function interfaceClasses(descriptors: OfferedDevice): Buffer {
  return Buffer.concat(interfacesOf(descriptors).map(found => Buffer.of(found[5]!, found[6]!, found[7]!, 0)));
}

function interfacesOf({ configuration }: OfferedDevice): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at < configuration.length; at += configuration[at]!) {
    if (configuration[at + 1] === 4) found.push(configuration.subarray(at, at + 9));
  }
  return found;
}
