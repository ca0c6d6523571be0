import { invalidInputError } from '@zbc-signer/chain';
import { HttpTransport } from './http.js';
import { TcpTransport } from './serial/tcp.js';
import { UartTransport } from './serial/uart.js';
import type { Transport } from './transport.js';
import { HidTransport } from './usb/hid.js';
import { UsbTransport } from './usb/usb.js';
import { UsbipTransport } from './usb/usbip.js';

const FORMS = 'hid, usb, or http://, tcp://, uart:// or usbip:// with host:port';
/** `hid` or `usb`, then optional USB ids in hex, then an optional serial number. */
const ON_USB = /^(hid|usb)(?::([0-9a-f]{4}):([0-9a-f]{4}))?(?::([^:]+))?$/i;

/**
 * Creates the transport for a device name, as in `--device` or ZBC_SIGNER_DEVICE: `hid`, `usb`,
 * `http://host:port`, `tcp://host:port`, `uart://host:port` or `usbip://host:port`. The first two may be followed by USB ids in
 * hex and by a serial number: `hid:1209:0001`, `usb:SERIAL`, `hid:1209:0001:SERIAL`. Throws `INVALID_INPUT`
 * for any other name.
 */
export function openTransport(device: string): Transport {
  const onUsb = ON_USB.exec(device);
  if (onUsb !== null) {
    const [, name, vendor, product, serialNumber] = onUsb;
    const [vendorId, productId] = [vendor, product].map(id =>
      id === undefined ? undefined : Number.parseInt(id, 16),
    );
    const Chosen = name?.toLowerCase() === 'usb' ? UsbTransport : HidTransport;
    return new Chosen({ vendorId, productId, serialNumber });
  }
  if (!URL.canParse(device)) throw invalidInputError(`the device must be ${FORMS}`);
  const url = new URL(device);
  if (url.protocol === 'http:') return new HttpTransport(device);
  const Reached = { 'tcp:': TcpTransport, 'uart:': UartTransport, 'usbip:': UsbipTransport }[url.protocol];
  if (Reached === undefined || url.port === '') throw invalidInputError(`the device must be ${FORMS}`);
  return new Reached({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) });
}
