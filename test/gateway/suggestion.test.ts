import { suggest } from '../../gateway/src/suggestion.js';

test('a suggestion is near or none', () => {
  const options = ['amount', 'account', 'api'];
  expect(suggest('amuont', options)).toBe('amount');
  expect(suggest('frobnicate', options)).toBeUndefined();
});
