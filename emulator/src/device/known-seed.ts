import { fromHex } from '@zbc-signer/chain';

/**
 * The seed of the test mnemonic. It is precomputed, because validating and stretching the mnemonic take
 * longer than the rest of an emulator's start.
 */
export const TEST_SEED: Uint8Array = fromHex(
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1' +
    '9a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
);
