import { UNKNOWN_CHAIN } from '../../../protocol/src/refusal-reasons';
import { USER_REJECTED } from '../../../protocol/src/status-words';
import { isKnownNetwork } from '../review/network';
import { replyHeaderRefusal } from './reply';
import { refusesUnknownChains } from './settings';

/** Returns 0 if the user allows this chain, otherwise the length of the reply that refuses it at `offset`. */
export function refuseUnknownChain(genesisHash: usize, offset: i32): i32 {
  if (!refusesUnknownChains() || isKnownNetwork(genesisHash)) return 0;
  return replyHeaderRefusal(USER_REJECTED, offset, UNKNOWN_CHAIN);
}
