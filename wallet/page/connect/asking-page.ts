import { formatAccount, formatCoinAmount, parseAccount, parseCoins } from '@zbc-signer/chain';
import { type Asked, CONNECT_READY, type ConnectAnswer, ConnectError, readAsked } from '@zbc-signer/connect';
import { formatText } from '@zbc-signer/host';

/** Origins with https or on this machine. An attacker in the network can forge a page of any other origin. */
const ASKABLE = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|$))/;

/** What the user is asked, and the facts about it. */
type Question = [string, ...(readonly [string, string])[]];

/** The page that opened this window, and its only request. */
export class AskingPage {
  #isAnswered = false;

  constructor(
    /** The origin as reported by the browser. */
    readonly origin: string,
    readonly asked: Asked,
    readonly question: Question,
    private readonly port: MessagePort,
  ) {}

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /**
   * Answers once. Only the document that asked receives the answer, even if its tab now shows another
   * document.
   */
  answer(answer: ConnectAnswer): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    this.port.postMessage(answer);
  }

  fail(code: string, message: string, sent: ConnectError['sent'] = 'no'): void {
    this.answer({ error: { code, message, sent } });
  }
}

/** Waits for the first request of the page that opened this window. Later requests are ignored. */
export function askedBy(opener: Window): Promise<AskingPage> {
  return new Promise((resolve, reject) => {
    addEventListener(
      'message',
      function receive({ source, origin, data, ports: [port] }: MessageEvent<unknown>) {
        if (source !== opener || port === undefined) return;
        removeEventListener('message', receive);
        try {
          if (!ASKABLE.test(origin))
            throw new ConnectError('INVALID_REQUEST', 'only https pages, and pages of this machine, may ask');
          const asked = readAsked(data);
          resolve(new AskingPage(origin, asked, describeAsked(asked), port));
        } catch (error) {
          const { code, message, sent = 'no' } = error as ConnectError;
          port.postMessage({ error: { code, message, sent } } satisfies ConnectAnswer);
          reject(error);
        }
      },
    );
    opener.postMessage(CONNECT_READY, '*');
  });
}

/**
 * The question to the user, and the facts about it. Throws a ZbcSignerError if the amount or the recipient is invalid:
 * the page that asks would otherwise write the question.
 */
function describeAsked(asked: Asked): Question {
  if (asked.method === 'account') return ['Show this page one of your accounts?'];
  const message = formatText(new TextEncoder().encode(asked.message));
  if (asked.method === 'sign') return ['Sign a message for this page?', ['Message', message]];
  const to = formatAccount(parseAccount(asked.to));
  const facts = [['To', to] as const, ...(message === '' ? [] : [['Message', message] as const])];
  return [`Pay ${formatCoinAmount(parseCoins(asked.amount))}?`, ...facts];
}
