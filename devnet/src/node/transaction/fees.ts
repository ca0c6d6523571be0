/** docs/TRANSACTION.md#limits: 0.025 coin, times the network's scale, plus rent. */
const BASE_FEE_ATOMS = 2_500_000n;

/** The bodies of types 1, 4 and 11 fit in this and pay no rent. */
const RENT_FREE_BODY_BYTES = 36n;
const RENT_ATOMS_PER_BODY_BYTE = 1_000n;

/**
 * The scale is the network's; it multiplies only the base. Rent depends only on the body's length, the one
 * size that `estimate-fee` receives; every type has the same base.
 */
export function minimumFeeAtoms(bodyLength: bigint, feeScale: bigint): bigint {
  const charged = bodyLength > RENT_FREE_BODY_BYTES ? bodyLength - RENT_FREE_BODY_BYTES : 0n;
  return BASE_FEE_ATOMS * feeScale + charged * RENT_ATOMS_PER_BODY_BYTE;
}
