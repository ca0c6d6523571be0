import { Emulator } from '../../emulator/src/index.js';
import { send, signTransaction } from '../support/apdu.js';
import { transactions } from '../support/vectors.js';

it('runs 300 emulators at once in one process, each with a transaction of its own on its screen', async () => {
  const emulators = await Promise.all(Array.from({ length: 300 }, () => Emulator.start()));
  const cases = emulators.map((_, index) => transactions.cases[index % transactions.cases.length]!);
  const replies = emulators.map((emulator, index) =>
    send(apdu => emulator.exchange(apdu), signTransaction(cases[index]!)),
  );
  await Promise.all(emulators.map(emulator => emulator.waitForReview()));
  expect(emulators.every(emulator => emulator.reviewing)).toBe(true);
  await Promise.all(emulators.map(emulator => emulator.approve()));
  const signed = (await Promise.all(replies)).map(({ data }) => data.toString('hex'));
  expect(signed).toEqual(cases.map(({ expect: { signature, tx_hash } }) => signature + tx_hash));
  for (const emulator of emulators) emulator.stop();
});
