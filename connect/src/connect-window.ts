import { ConnectError } from './errors.js';
import {
  type Asked,
  type AskedPayment,
  CONNECT_READY,
  type ConnectAccount,
  type ConnectAnswer,
  type ConnectWallet,
  type SentPayment,
  type SignedText,
} from './protocol.js';
import { formatSignedText, readSignedText } from './signed-text.js';

/** Time between two checks whether the window is still open. */
const LOOK_MS = 300;
const WINDOW = 'popup,width=520,height=760';

/**
 * Whether this page waits for an answer. Shared by all wallets, because its user answers one request at a
 * time.
 */
let isAsking = false;

/**
 * The wallet at a gateway, in a new window for each request. Browsers open a window only in answer to a click
 * or a key. They let this page reach the window only if the `Cross-Origin-Opener-Policy` of this page is
 * unset or `same-origin-allow-popups`.
 */
export class ConnectWindow implements ConnectWallet {
  readonly name: string;
  // Private members of JavaScript do not exist behind a Proxy, such as Vue's `ref`.
  private readonly url: string;

  /** @param gateway URL of the gateway, such as `https://gateway.example`. */
  constructor(gateway: string) {
    const { href, host } = new URL('/connect/', gateway);
    this.url = href;
    this.name = host;
  }

  /** See ConnectWallet. */
  async account(): Promise<ConnectAccount> {
    return (await this.ask({ method: 'account' })) as ConnectAccount;
  }

  /** See ConnectWallet. The text is checked to have this page's origin, the nonce and the message. */
  async signMessage(message: string, nonce: string = crypto.randomUUID()): Promise<SignedText> {
    formatSignedText({ origin: location.origin, time: new Date().toISOString(), nonce, message });
    const signed = (await this.ask({ method: 'sign', message, nonce })) as SignedText;
    const parts = readSignedText(signed.text, { origin: location.origin, nonce });
    if (parts.message !== message) {
      throw new ConnectError('INVALID_SIGNED_TEXT', 'the wallet signed another message');
    }
    return signed;
  }

  /** See ConnectWallet. The `sent` of an error says whether the chain may have the payment. */
  async send({ to, amount, message = '' }: AskedPayment): Promise<SentPayment> {
    return (await this.ask({ method: 'send', to, amount, message })) as SentPayment;
  }

  private async ask(asked: Asked): Promise<unknown> {
    if (isAsking)
      throw new ConnectError('REQUEST_PENDING', 'this page waits for the answer to another request');
    isAsking = true;
    try {
      return await askInWindow(new URL(this.url), asked);
    } finally {
      isAsking = false;
    }
  }
}

/**
 * Asks in a new window. The answer arrives on a port of this document, so no later document in the tab gets
 * it.
 */
function askInWindow(url: URL, asked: Asked): Promise<unknown> {
  const opened = open(url, '_blank', WINDOW);
  if (opened === null) return Promise.reject(blockedError());
  const { port1: port, port2: given } = new MessageChannel();
  return new Promise((resolve, reject) => {
    let isGiven = false;
    let wasClosed = false;
    const timer = setInterval(look, LOOK_MS);
    addEventListener('message', give);
    port.onmessage = ({ data }: MessageEvent<ConnectAnswer>) => {
      end();
      if ('value' in data) resolve(data.value);
      else reject(new ConnectError(data.error.code, data.error.message, data.error.sent));
    };

    function give({ source, origin, data }: MessageEvent<unknown>): void {
      if (isGiven || source !== opened || origin !== url.origin || data !== CONNECT_READY) return;
      isGiven = true;
      opened!.postMessage(asked, url.origin, [given]);
    }

    /**
     * Fails at the second look after the window was closed. An answer that the window sent before it was
     * closed would have arrived by then.
     */
    function look(): void {
      if (wasClosed) {
        end();
        reject(isGiven ? closedError(asked) : unansweredError(url));
      }
      wasClosed = opened!.closed;
    }

    function end(): void {
      clearInterval(timer);
      removeEventListener('message', give);
      port.close();
    }
  });
}

function blockedError(): ConnectError {
  return new ConnectError(
    'WINDOW_BLOCKED',
    'the browser blocked the window: call this from a handler of a click or a key',
  );
}

function unansweredError(url: URL): ConnectError {
  return new ConnectError(
    'WINDOW_CLOSED',
    `the window was closed or cut off from this page before ${url} answered`,
  );
}

function closedError({ method }: Asked): ConnectError {
  const isPayment = method === 'send';
  const unknown = isPayment ? ', and did not say whether it had sent the payment' : '';
  return new ConnectError(
    'WINDOW_CLOSED',
    `the wallet's window is closed${unknown}`,
    isPayment ? 'maybe' : 'no',
  );
}
