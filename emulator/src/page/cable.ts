import type { EmulatedSigner } from '../harness/emulated-signer.js';
import { installHid } from './hid.js';

const CHANNEL = 'zbc-signer emulated HID';
/** How long a signer in another tab may take to answer that it is there. */
const ANSWER_MS = 500;

/** What a page sends. Without a report, it asks whether a signer is there. */
interface PageMessage {
  to: 'signer';
  report?: Uint8Array;
}

/** What the signer sends. */
interface SignerMessage {
  to: 'page';
  report?: Uint8Array;
  isPlugged?: boolean;
}

type Message = PageMessage | SignerMessage;

function openChannel(listen: (message: Message) => void): (message: Message) => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => listen(data);
  return message => channel.postMessage(message);
}

/**
 * Joins a signer to every page of its origin that has called `joinSigner`. The signer is unplugged when its
 * page is left, or by the returned function.
 */
export function plugSigner(signer: EmulatedSigner): () => void {
  let isPlugged = true;
  const send = openChannel(message => {
    if (message.to !== 'signer' || !isPlugged) return;
    if (message.report === undefined) send({ to: 'page', isPlugged });
    else signer.report(message.report, report => send({ to: 'page', report: report.slice() }));
  });
  send({ to: 'page', isPlugged });
  const unplug = () => {
    isPlugged = false;
    send({ to: 'page', isPlugged });
    signer.disconnectReports();
  };
  addEventListener('pagehide', unplug, { once: true });
  return unplug;
}

/**
 * Gives this page a `navigator.hid` whose one device is the signer that `plugSigner` joined in another page of
 * the origin. Call it before the wallet looks for devices.
 */
export function joinSigner(): void {
  let answer: Promise<boolean> | undefined;
  let settle: (isPlugged: boolean) => void = () => undefined;
  const isPlugged = () => {
    answer ??= new Promise(resolve => {
      settle = resolve;
      setTimeout(() => resolve((known ??= false)), ANSWER_MS);
      send({ to: 'signer' });
    });
    return answer;
  };
  let known: boolean | undefined;
  const hid = installHid({
    isPlugged,
    async send(report) {
      send({ to: 'signer', report });
      return isPlugged();
    },
  });
  const send = openChannel(message => {
    if (message.to !== 'page') return;
    if (message.report) hid.receive(message.report);
    const was = known;
    known = message.isPlugged ?? was;
    if (known === undefined || known === was) return;
    settle(known);
    answer = Promise.resolve(known);
    // The first answer says what was so before the page could ask.
    if (known && was === false) hid.plug();
    else if (was) hid.unplug();
  });
}
