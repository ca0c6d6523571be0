import type { FaultGroup } from '../fault.js';

const multiply = 'common/armv6m-multiply.S';

export const products: FaultGroup = {
  guards: 'docs/THREATS.md#guarantees',
  board: 'pico',
  tests: ['multiplication', 'multiplication'],
  faults: {
    [multiply]: {
      'drops a carry of a product': ['  adcs r1, r2\n  pop {r4, r5, pc}', '  pop {r4, r5, pc}'],
      'branches on a carry of a product': ['  adcs r1, r2\n', '  bcc 1f\n  adds r1, r1, #1\n  nop\n1:\n'],
    },
    'common/product.h': {
      'treats the high half of a factor as unsigned': [
        '"asrs %[a], %[a], #16\\n"',
        '"lsrs %[a], %[a], #16\\n"',
        'of signed 32 bits',
      ],
    },
  },
};

export const keys: FaultGroup = {
  guards: 'docs/THREATS.md#guarantees',
  board: 'pico',
  tests: ['timing', 'public keys cost'],
  faults: {
    'common/front.c': {
      'branches on the bits of the seed': [
        '  memcpy(to, keystore_span(at, SEED_BYTES), SEED_BYTES);\n',
        '  for (int i = 0; i < SEED_BYTES; i++) {\n    to[i] = keystore_span(at, SEED_BYTES)[i];\n    if (to[i] & 1) __asm__ volatile("nop; nop");\n  }\n',
      ],
    },
  },
};
