import { openTransport, Signer } from '@zbc-signer/host/node';
import { inOption } from '../errors/option-error.js';
import { deviceSetting } from '../input/settings.js';

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
