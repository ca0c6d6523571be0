/** Base of the minimum fee: 0.025 coins (docs/TRANSACTION.md#limits). */
const BASE_FEE_ATOMS = 2_500_000n;

/** Body length up to which no rent is paid. The bodies of types 1, 4 and 11 are not longer. */
const RENT_FREE_BODY_BYTES = 36n;
const RENT_ATOMS_PER_BODY_BYTE = 1_000n;

/**
 * Returns the minimum fee: the base, which is the same for every type, times the network's scale, plus the
 * rent. The rent depends only on the length of the body, because `estimate-fee` receives no other size.
 */
export function minimumFeeAtoms(bodyLength: bigint, feeScale: bigint): bigint {
  const charged = bodyLength > RENT_FREE_BODY_BYTES ? bodyLength - RENT_FREE_BODY_BYTES : 0n;
  return BASE_FEE_ATOMS * feeScale + charged * RENT_ATOMS_PER_BODY_BYTE;
}
