import {
  HidTransport,
  HttpTransport,
  Signer,
  TcpTransport,
  type Transport,
  UsbTransport,
} from '@zbc-signer/host/node';
import { UsageError } from '../errors/errors.js';
import { inOption } from '../errors/option-error.js';
import { deviceSetting } from '../input/settings.js';

const FORMS = 'hid, usb, http://host:port or tcp://host:port';
/** `hid` or `usb`, USB ids in hex, and a serial number. */
const ON_USB = /^(hid|usb)(?::([0-9a-f]{4}):([0-9a-f]{4}))?(?::([^:]+))?$/i;

/** Calls `use` with a signer on the device, and closes it afterwards. */
export async function withSigner<T>(
  device: string | undefined,
  use: (signer: Signer) => Promise<T>,
): Promise<T> {
  const { value, source } = deviceSetting(device);
  const signer = new Signer(inOption(source, () => openTransport(value)));
  try {
    return await use(signer);
  } finally {
    await signer.close();
  }
}

/**
 * `device` is as for `--device`; `hid` and `usb` may be followed by USB ids in hex and by a serial number:
 * `hid:1209:0001`, `usb:SERIAL`, `hid:1209:0001:SERIAL`.
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
  if (!URL.canParse(device)) throw new UsageError(`the device must be ${FORMS}`);
  const url = new URL(device);
  if (url.protocol === 'http:') return new HttpTransport(device);
  if (url.protocol !== 'tcp:' || url.port === '') throw new UsageError(`the device must be ${FORMS}`);
  return new TcpTransport({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) });
}
