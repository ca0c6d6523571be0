// The page try.html: a signer, and a host that sends it commands.
import { encodeTransaction, parseAccount, parseCoins, TransactionType, toHex } from '@zbc-signer/chain';
import { createSeed, PageSigner, type PageSignerOptions } from '@zbc-signer/emulator/browser';
import { expectedReview, Signer } from '@zbc-signer/host';
import { byId } from './elements.js';

const GENESIS_HASH = new Uint8Array(32).fill(7);
const TEXT = new TextEncoder().encode('Hello from this page');
/** A seed of 12 words needs 50 rolls. */
const ROLLS = 50;

const part = (id: string) => byId(id, HTMLElement);
const requests = byId('requests', HTMLFieldSetElement);

let device: PageSigner | undefined;
let host: Signer;
/** Number of the action that the page shows. Those before a restart of the device never end. */
let shown = 0;
/** Number of the starts of a device. Only the last one is shown. */
let starts = 0;

async function start(options: PageSignerOptions): Promise<string> {
  const own = ++starts;
  const started = await PageSigner.start(options);
  if (own !== starts) {
    started.stop();
    throw new Error('another device was started meanwhile');
  }
  device?.stop();
  device = started;
  host = new Signer(device.transport());
  device.mount(part('device'));
  part('roll').hidden = options.keystore === undefined;
  return '';
}

/** Faces of a die, all equally likely: the bytes from 252 on are dropped. */
function rollDice(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4 * ROLLS)).filter(byte => byte < 252);
  return Array.from(bytes.subarray(0, ROLLS), byte => 1 + (byte % 6)).join('');
}

function expectItems(items: readonly (readonly string[])[]): void {
  part('expected').textContent = items.map(([title, value]) => `${title}: ${value}`).join('\n');
}

async function pay(account: number): Promise<string> {
  const [from, to] = [await host.getPublicKey(0), await host.getPublicKey(1)];
  const transaction = {
    type: TransactionType.SendZbc,
    timestamp: BigInt(Math.floor(Date.now() / 1000)),
    sender: parseAccount(from.address),
    recipient: parseAccount(to.address),
    amount: parseCoins('1.5'),
    fee: parseCoins('0.01'),
    message: TEXT,
  };
  if (account === 0) expectItems(expectedReview({ genesisHash: GENESIS_HASH, transaction }));
  const { signature, transactionHash } = await host.signTransaction({
    account,
    genesisHash: GENESIS_HASH,
    transaction: encodeTransaction(transaction),
  });
  return `The host verified the signature of ${from.address}.\nHash ${toHex(transactionHash)}\nSignature ${toHex(signature)}`;
}

const ACTIONS: Record<string, () => Promise<string>> = {
  test: () => start({}),
  fresh: () => start({ keystore: {} }),
  async roll() {
    // The user may have begun to make a seed.
    await start({ keystore: {} });
    const { mnemonic, fingerprint } = createSeed(device!, { record: rollDice() });
    return `The device made this seed and asked for every word:\n${mnemonic}\nFingerprint ${fingerprint}`;
  },
  async address() {
    expectItems([['Address', (await host.getPublicKey(0)).address]]);
    return `The user confirmed ${(await host.getPublicKey(0, { confirm: true })).address}`;
  },
  async message() {
    expectItems([['Message', new TextDecoder().decode(TEXT)]]);
    return `The host verified the signature ${toHex((await host.signMessage(0, TEXT)).signature)}`;
  },
  pay: () => pay(0),
  wrong: () => pay(1),
};

for (const [id, act] of Object.entries(ACTIONS)) {
  part(id).addEventListener('click', async () => {
    const own = ++shown;
    expectItems([]);
    part('result').textContent = 'Waiting for the device…';
    requests.disabled = true;
    const result = await act().catch(error => {
      if (own === shown) expectItems([]);
      return `${error.name} ${error.code}: ${error.message}`;
    });
    if (own !== shown) return;
    part('result').textContent = result;
    requests.disabled = false;
  });
}
await start({});
