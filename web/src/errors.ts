import { ZbcSignerError } from '@zbc-signer/chain';
import { TransportError } from '@zbc-signer/host';

/** An INVALID_REPLY error, for a reply of a wrong length or form, which was discarded. */
export function invalidReplyError(message: string): ZbcSignerError {
  return new ZbcSignerError('INVALID_REPLY', message);
}

/** The page is neither https nor localhost, so the browser does not let it use a device. */
export function insecurePageError(): TransportError {
  return new TransportError('TRANSPORT_FAILED', 'browsers let only https and localhost pages use a device', {
    hint: 'Open this page over https.',
  });
}

/** Another tab of this browser uses the device. */
export function heldByTabError(): TransportError {
  return new TransportError('DEVICE_HELD', 'another tab of this browser uses the device', {
    hint: 'Use the device in that tab, or choose to use it in this tab.',
  });
}

/** `run` was called after `SharedSigner.close`. */
export function closedError(): TransportError {
  return new TransportError('TRANSPORT_FAILED', 'this page has closed the signer');
}
