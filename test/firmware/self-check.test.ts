import { Emulator } from '@zbc-signer/emulator';
import { compileWithoutVerification } from '../../testkit/device/altered-firmware.js';
import { send, signMessage, signTransaction } from '../../testkit/device/apdu.js';
import { transactions } from '../../testkit/repository/vectors.js';

test.each([
  ['a transaction', signTransaction(transactions.cases[0]!)],
  ['a message', signMessage(0, Buffer.from('hello'))],
])('a signature of %s that does not verify is answered only with INTERNAL', async (_what, apdus) => {
  const emulator = await Emulator.start({ module: await compileWithoutVerification('zbc-signer.wasm') });
  const done = send(bytes => emulator.exchange(bytes), apdus);
  await emulator.approve();
  expect(await done).toEqual({ status: '6F00', data: Buffer.alloc(0) });
  expect(emulator.crashes).toEqual([]);
  emulator.stop();
});
