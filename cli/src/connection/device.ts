import { HidTransport, HttpTransport, Signer, TcpTransport, type Transport } from '@zbc-signer/host/node';
import { UsageError } from '../errors/errors.js';
import { inOption } from '../errors/option-error.js';
import { deviceSetting } from '../input/settings.js';

const FORMS = 'hid, http://host:port or tcp://host:port';

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

/** `device` is as for `--device`; `hid` may be followed by USB ids in hex: `hid:1209:0001`. */
export function openTransport(device: string): Transport {
  const ids = /^hid(?::([0-9a-f]{4}):([0-9a-f]{4}))?$/i.exec(device);
  if (ids !== null) {
    const [vendorId, productId] = ids
      .slice(1)
      .map(id => (id === undefined ? undefined : Number.parseInt(id, 16)));
    return new HidTransport({ vendorId, productId });
  }
  if (!URL.canParse(device)) {
    throw new UsageError(`the device must be ${FORMS}`);
  }
  const url = new URL(device);
  if (url.protocol === 'http:') return new HttpTransport(device);
  if (url.protocol !== 'tcp:' || url.port === '') {
    throw new UsageError(`the device must be ${FORMS}`);
  }
  return new TcpTransport({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) });
}
