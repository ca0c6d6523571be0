import { createHash } from 'node:crypto';
import { drawQrCode } from '#wallet/page/qr-code.js';

const LINK = 'zbc:ZBC_L2HLFDOM_7B2EQMTU_YKSBHBYP_BZLTZ6JQ_I54BEPNI_P2LPU6L5_RC7Q2PZM';

/** SHA-256 of the rows that uqr 0.1.3 draws for a text, in version 5, level M, mask 0: `1` for a dark module. */
test.each([
  [LINK, 'b482a6e0b5739530d02beed3274c2789687a6b738af7ff9fb5e9f38a5c560880'],
  ['', 'b7aa08be78e7b1af44e521745624afb011431b104507307b38ffd8a84f91af40'],
  ['z'.repeat(84), '65f33d8709c7d4cc094c95558eb666c6f0907381a1a7ac1f617431eb85d06af3'],
])('the code of "%s" equals the code that another encoder draws', (text, digest) => {
  const rows = Array.from({ length: 37 }, () => Array<string>(37).fill('0'));
  for (const [, x, y] of drawQrCode(text).matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    rows[Number(y)]![Number(x)] = '1';
  expect(
    createHash('sha256')
      .update(rows.map(row => row.join('')).join('\n'))
      .digest('hex'),
  ).toBe(digest);
});

test('a text that does not fit into the code is refused', () => {
  expect(() => drawQrCode('z'.repeat(85))).toThrow(RangeError);
});
