import { parsePaymentLink } from '#wallet/page/payment-link.js';

test.each([
  ['#/send?to=ZBC_A', { to: 'ZBC_A', amount: '', message: '' }],
  ['#/send?amount=1.5&to=ZBC_A&message=a%26b', { to: 'ZBC_A', amount: '1.5', message: 'a&b' }],
  ['https://gateway.example/wallet/#/send?to=ZBC_A&amount=2', { to: 'ZBC_A', amount: '2', message: '' }],
  ['zbc:ZBC_A', { to: 'ZBC_A', amount: '', message: '' }],
  ['zbc:ZBC_A?amount=2&message=for+tea', { to: 'ZBC_A', amount: '2', message: 'for tea' }],
])('%s is read as a request for a payment', (link, asked) => {
  expect(parsePaymentLink(link)).toEqual(asked);
});

test.each([
  ['a link to the section without parameters', '#/send'],
  ['another section', '#/escrow?to=ZBC_A'],
  ['another section of the page', 'https://gateway.example/wallet/#/escrow?to=ZBC_A'],
  ['an address', 'ZBC_A'],
  ['another scheme', 'bitcoin:ZBC_A?amount=1'],
  ['a token, which a form for ZBC would misread', 'zbc:ZBC_A?amount=1&token=7'],
  ['two amounts', '#/send?to=ZBC_A&amount=1&amount=100'],
  ['two recipients', 'zbc:ZBC_A?to=ZBC_B'],
  ['more than a form holds', `zbc:ZBC_A?message=${'a'.repeat(1024)}`],
])('%s is not read as a request for a payment', (_, link) => {
  expect(parsePaymentLink(link)).toBeUndefined();
});
