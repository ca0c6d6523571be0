/** interface.md "Limits": 0.025 coin, times the network's scale, plus rent. */
export const BASE_FEE_ATOMS = 2_500_000n;
export const FEE_SCALE = 1n;

/** The bodies of types 1, 4 and 11 fit in this and pay no rent. */
export const RENT_FREE_BODY_BYTES = 36n;
export const RENT_ATOMS_PER_BODY_BYTE = 1_000n;

/** Rent counts the body alone, for that is the only size `estimate-fee` is told; every type has the same base. */
export function minimumFeeAtoms(bodyLength: bigint): bigint {
  const charged = bodyLength > RENT_FREE_BODY_BYTES ? bodyLength - RENT_FREE_BODY_BYTES : 0n;
  return BASE_FEE_ATOMS * FEE_SCALE + charged * RENT_ATOMS_PER_BODY_BYTE;
}
