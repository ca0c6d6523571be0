import { GET_APP_NAME, GET_APP_VERSION, getPublicKey } from '../../commands.js';
import type { CheckGroup } from '../bench.js';
import { Nonconformity } from '../bench.js';
import type { Cases } from '../cases.js';

const OK = '9000';

/** Checks of the app, its version and its keys. */
export function identityChecks({ accounts, mnemonic }: Cases): CheckGroup {
  return {
    name: 'identity',
    checks: [
      {
        name: 'the seed of the golden cases',
        run: async bench => {
          const { account, publicKey } = accounts[0]!;
          const reply = Buffer.from(await bench.exchange(getPublicKey(account))).toString('hex');
          if (reply.startsWith(publicKey)) return;
          throw new Nonconformity(`the signer does not hold the seed of the mnemonic "${mnemonic}"`);
        },
      },
      { name: 'name of the app', run: bench => bench.sendAnswered([GET_APP_NAME]) },
      { name: 'version, flags, limits and types', run: bench => bench.sendAnswered([GET_APP_VERSION]) },
      { name: 'the menu is on the display', run: bench => bench.look() },
      ...accounts.map(({ account, publicKey, address }) => ({
        name: `public key and address of account ${account}`,
        run: async (bench: Parameters<CheckGroup['checks'][number]['run']>[0]) => {
          const reply = Buffer.from(await bench.exchange(getPublicKey(account)));
          const expected = publicKey + Buffer.from(address, 'latin1').toString('hex') + OK;
          if (reply.toString('hex') !== expected) {
            throw new Nonconformity(`the signer answered ${reply.toString('hex')}, expected ${expected}`);
          }
        },
      })),
    ],
  };
}
