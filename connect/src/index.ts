export { ConnectWindow } from './connect-window.js';
export { announceWallet, findWallets } from './discovery.js';
export { ConnectError, type ConnectErrorCode } from './errors.js';
export {
  type Asked,
  type AskedPayment,
  CONNECT_READY,
  type ConnectAccount,
  type ConnectAnswer,
  type ConnectWallet,
  readAsked,
  type SentPayment,
  type SignedText,
} from './protocol.js';
export { formatSignedText, readSignedText, type SignedTextParts } from './signed-text.js';
