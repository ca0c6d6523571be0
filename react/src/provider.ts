import type { GatewayClient, PaymentJournal } from '@zbc-signer/host';
import { createContext, createElement, type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { SignerStore } from './store.js';

/** The props of a SignerProvider. `gateway` and `journal` are read once: to change them, change the `key`. */
export interface SignerProviderProps {
  gateway: GatewayClient;
  /** The journal must outlive the provider, because payments may be left in it. */
  journal: PaymentJournal;
  children?: ReactNode;
}

export const SignerContext = createContext<SignerStore | undefined>(undefined);

/**
 * The components in a provider share a device, and one payment at a time. Unmounting it releases the device.
 */
export function SignerProvider({ gateway, journal, children }: SignerProviderProps): ReactElement {
  const [store] = useState(() => new SignerStore(gateway, journal));
  useEffect(() => store.hold(), [store]);
  return createElement(SignerContext.Provider, { value: store }, children);
}
