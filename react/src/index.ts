'use client'; // Tells frameworks that render on a server that these modules also run in the browser.

export {
  type ActivityHook,
  type ReviewHook,
  type SendHook,
  type SignerHook,
  useActivity,
  useReview,
  useSend,
  useSigner,
} from './hooks.js';
export { SignerProvider, type SignerProviderProps } from './provider.js';
export type { OpenTransport, SendOptions } from './store.js';
export type { ActivityView, SendView, SignerView } from './views.js';
