import { SignerError, TransportError } from '@zbc-signer/host';

/** The page is neither https nor localhost: browsers keep devices from it. */
export class InsecurePageError extends SignerError {
  override readonly name = 'InsecurePageError';
  constructor() {
    super('TRANSPORT_FAILED', 'browsers let only https and localhost pages use a device', {
      hint: 'Open this page over https.',
    });
  }
}

/** `code` is DEVICE_HELD: another tab of this browser uses the device. */
export function heldByTabError(): TransportError {
  return new TransportError('DEVICE_HELD', 'another tab of this browser uses the device', {
    hint: 'Use it there, or choose to use it here.',
  });
}
