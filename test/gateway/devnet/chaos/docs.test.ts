import { CHAOS_KINDS } from '../../../../gateway/src/devnet/chaos/kinds.js';
import { readText } from '../../../support/repository.js';

test('docs/GATEWAY.md lists every kind of chaos, and no other', () => {
  const [, section = ''] = readText('docs/GATEWAY.md').split(/^### Chaos$|^## Kills and load$/m);
  const cells = section
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line => line.split('|')[1]!.trim());
  expect(cells.map(cell => /^`([a-z-]+)/.exec(cell)![1])).toEqual(CHAOS_KINDS.map(({ name }) => name));
});
