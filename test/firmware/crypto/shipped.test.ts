import { createHash, createHmac, sign } from 'node:crypto';
import { Emulator } from '@zbc-signer/emulator';
import { opensslPublicKey, privateKeyObject } from '../../../testkit/crypto/openssl.js';
import { createRandom } from '../../../testkit/crypto/random.js';
import {
  getPublicKey,
  send,
  signMessage,
  signTransaction,
  splitReply,
} from '../../../testkit/device/apdu.js';
import { transactions } from '../../../testkit/repository/vectors.js';

const SEEDS = 200;
const [EXAMPLE] = transactions.cases;
const SENDER_KEY_AT = 17;

/** SLIP-0010 by OpenSSL: m/44'/883'/account'. */
function derive(seed: Uint8Array, account: number): Buffer {
  let node = createHmac('sha512', 'ed25519 seed').update(seed).digest();
  for (const index of [44, 883, account]) {
    const data = Buffer.concat([Buffer.alloc(1), node.subarray(0, 32), Buffer.alloc(4)]);
    data.writeUInt32BE(index + 0x80000000, 33);
    node = createHmac('sha512', node.subarray(32)).update(data).digest();
  }
  return node.subarray(0, 32);
}

async function approved(emulator: Emulator, apdus: Uint8Array[]): Promise<Buffer> {
  await send(bytes => emulator.exchange(bytes), apdus.slice(0, -1));
  const reply = emulator.exchange(apdus.at(-1)!).then(splitReply);
  await emulator.approve();
  return (await reply).data;
}

const sha3 = (...parts: Uint8Array[]) => createHash('sha3-256').update(Buffer.concat(parts)).digest();

test(`the shipped firmware gives OpenSSL's keys, signatures and hashes for ${SEEDS} random seeds`, async () => {
  const random = createRandom(14);
  for (let i = 0; i < SEEDS; i++) {
    const seed = Buffer.from(random(64));
    const account = Buffer.from(random(4)).readUInt32LE() >>> 1;
    const message = Buffer.from(random(33 + i)).map(byte => 0x20 + (byte % 95));
    const genesis = Buffer.from(random(32));
    const key = derive(seed, account);
    const emulator = await Emulator.start({ seed: `hex:${seed.toString('hex')}` });

    const publicKey = splitReply(await emulator.exchange(getPublicKey(account))).data.subarray(0, 32);
    expect(publicKey).toEqual(Buffer.from(opensslPublicKey(key)));

    const ofMessage = await approved(emulator, signMessage(account, message));
    expect(ofMessage).toEqual(sign(null, message, privateKeyObject(key)));

    const transaction = Buffer.from(EXAMPLE!.tx, 'hex');
    publicKey.copy(transaction, SENDER_KEY_AT);
    const request = { account, genesis: genesis.toString('hex'), tx: transaction.toString('hex') };
    const reply = await approved(emulator, signTransaction(request));
    const digest = sha3(Buffer.from('ZBC-TX'), genesis, transaction);
    const signature = sign(null, digest, privateKeyObject(key));
    expect(reply).toEqual(Buffer.concat([signature, sha3(transaction, signature)]));
    emulator.stop();
  }
});
