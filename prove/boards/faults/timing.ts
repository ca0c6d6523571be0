import type { FaultGroup } from '../fault.js';

const multiply = 'common/armv6m-multiply.S';

export const products: FaultGroup = {
  board: 'pico',
  tests: ['multiplication', 'multiplication'],
  faults: [
    {
      name: 'drops a carry of a product',
      file: multiply,
      find: '  adcs r1, r2\n  pop {r4, r5, pc}',
      replace: '  pop {r4, r5, pc}',
    },
    {
      name: 'branches on a carry of a product',
      file: multiply,
      find: '  adcs r1, r2\n  pop {r4, r5, pc}',
      replace: '  bcc 1f\n  adds r1, r1, #1\n  nop\n1:\n  pop {r4, r5, pc}',
    },
    {
      name: 'takes the high half of a factor as unsigned',
      file: 'common/product.h',
      find: '"asrs %[a], %[a], #16\\n"',
      replace: '"lsrs %[a], %[a], #16\\n"',
      noticedBy: 'of signed 32 bits',
    },
  ],
};

export const keys: FaultGroup = {
  board: 'pico',
  tests: ['timing', 'public keys cost'],
  faults: [
    {
      name: 'branches on the bits of the seed',
      file: 'common/front.c',
      find: '  memcpy(to, keystore_span(at, SEED_BYTES), SEED_BYTES);\n',
      replace:
        '  for (int i = 0; i < SEED_BYTES; i++) {\n    to[i] = keystore_span(at, SEED_BYTES)[i];\n    if (to[i] & 1) __asm__ volatile("nop");\n  }\n',
    },
  ],
};
