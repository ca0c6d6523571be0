import { accountFromPublicKey, encodeAccount, publicKeyOf } from '@zbc-signer/chain';
import { COIN } from '../genesis.js';
import type { TokenSum } from '../transaction/cost.js';
import { developmentKey } from './keys.js';

/** An offer to swap tokens, all or nothing. `account` is in the wire form; `expiresAt` is in Unix seconds. */
export interface SwapOffer {
  id: bigint;
  account: Uint8Array;
  gives: readonly TokenSum[];
  wants: readonly TokenSum[];
  expiresAt: bigint;
}

/** 2100-01-01 00:00:00 UTC. */
const FAR_OFF = 4_102_444_800n;

const account = (name: string) => encodeAccount(accountFromPublicKey(publicKeyOf(developmentKey(name))));

export const SWAP_OFFERS: readonly SwapOffer[] = [
  {
    id: 6_052_837_899_185_946_625n,
    account: account('swapper 1'),
    gives: [{ tokenId: 1n, amount: 250_000_000n }],
    wants: [{ tokenId: COIN, amount: 31_250_000n }],
    expiresAt: FAR_OFF,
  },
  {
    id: -3_458_764_513_820_540_927n,
    account: account('swapper 2'),
    gives: [
      { tokenId: 2n, amount: 3n },
      { tokenId: 8n, amount: 9_007_199_254_740_993n },
    ],
    wants: [{ tokenId: 14n, amount: 100_000_000n }],
    expiresAt: FAR_OFF,
  },
  {
    id: -1n,
    account: account('swapper 1'),
    gives: [{ tokenId: COIN, amount: 1_000_000_000n }],
    wants: [
      { tokenId: 5n, amount: 4_200n },
      { tokenId: 11n, amount: 99n },
    ],
    expiresAt: FAR_OFF,
  },
];
