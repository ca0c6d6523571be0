import { readText } from '../../testkit/repository/repository.js';
import { importsUnder, isUnder, strangers } from './imports.js';

/** The firmware's modules, callees first: each may import from itself and those before it. */
const MODULES = ['crypto', 'transaction', 'review', 'screen', 'transport', 'handlers', 'apdu'];

const pathOf = (name: string) => `firmware/assembly/${name}`;

test.each(MODULES.map((name, index) => [name, index] as const))(
  '%s imports only from itself and the modules in the layers below it',
  (name, index) => {
    const before = MODULES.slice(0, index + 1).map(pathOf);
    const state = index >= MODULES.indexOf('handlers') ? [pathOf('session'), pathOf('seal')] : [];
    const platform = ['screen', 'handlers'].includes(name) ? [pathOf('hal')] : [];
    const allowed = [...state, ...platform, pathOf('sum')];
    expect(
      strangers(pathOf(name), ({ path }) => isUnder(path, 'protocol', ...before) || allowed.includes(path)),
    ).toEqual([]);
  },
);

test('the screen imports neither the transaction nor the crypto module', () => {
  const isKnown = ({ path }: { path: string }) => !isUnder(path, pathOf('transaction'), pathOf('crypto'));
  expect(strangers(pathOf('screen'), isKnown)).toEqual([]);
});

test('in the handlers, only key.ts, sign-message.ts and sign-tx.ts define or call signAs', () => {
  const files = new Set(importsUnder(pathOf('handlers')).map(({ file }) => file));
  const signers = [...files].filter(file => /\bsignAs\(/.test(readText(file)));
  expect(signers.sort()).toEqual(
    ['key.ts', 'sign-message.ts', 'sign-tx.ts'].map(name => pathOf(`handlers/${name}`)),
  );
});

test('the firmware imports only its own files and the sources of the protocol', () => {
  expect(strangers('firmware', ({ path }) => isUnder(path, 'firmware', 'protocol/src'))).toEqual([]);
});
