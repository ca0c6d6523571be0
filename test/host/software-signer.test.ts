import { derivePrivateKey, seedFromMnemonic, TEST_MNEMONIC } from '@zbc-signer/chain';
import { SoftwareSigner } from '@zbc-signer/host/software-signer';
import { accountCases, bytesOf, transactionCases } from '../../testkit/repository/vectors.js';

const { account, genesis, tx, expect: expected } = transactionCases[0]!;
const genesisHash = bytesOf(genesis);

function start(): { signer: SoftwareSigner; privateKey: Uint8Array } {
  const privateKey = derivePrivateKey(seedFromMnemonic(TEST_MNEMONIC), account);
  return { signer: new SoftwareSigner(privateKey), privateKey };
}

test('gives the same signatures as the device', async () => {
  const { signer } = start();
  expect(await signer.signTransaction({ account, genesisHash, transaction: bytesOf(tx) })).toEqual({
    signature: bytesOf(expected.signature),
    transactionHash: bytesOf(expected.tx_hash),
  });
  expect((await signer.getPublicKey()).address).toBe(accountCases[account]!.address);
});

test.each([
  ['bytes after the message', `${tx}00`, 'trailing-bytes'],
  ['another sender', tx.slice(0, 34) + accountCases[1]!.public_key + tx.slice(98), 'sender-not-own'],
])('refuses a transaction that a device refuses: %s', async (_what, bytes, reason) => {
  const signing = start().signer.signTransaction({ account, genesisHash, transaction: bytesOf(bytes) });
  await expect(signing).rejects.toMatchObject({ reason });
});

test('overwrites the private key that it was given', () => {
  const { signer, privateKey } = start();
  signer.wipe();
  expect(privateKey).toEqual(new Uint8Array(32));
});
