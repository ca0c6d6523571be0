import type { ReviewItem, ZbcSignerError } from '@zbc-signer/chain';
import type { SignerVersion } from '../replies.js';

/** What a device is at, for a wallet to show. */
export type SessionState =
  /** Nothing was heard of the device yet. */
  | { state: 'connecting' }
  /** It waits for a command. */
  | { state: 'ready'; version: SignerVersion }
  /** It is locked, or has no seed. */
  | { state: 'locked' }
  /** It runs another app; `app` is its name, if known. */
  | { state: 'other-app'; app?: string | undefined }
  /** It shows a review of another program. */
  | { state: 'busy' }
  /** It shows a review of this session, which must have these items. */
  | { state: 'review'; items: ReviewItem[] }
  /** It has not answered for 5 seconds, shows no review and is not gone; the session goes on waiting. */
  | { state: 'unresponsive' }
  /** It is gone, or answers nonsense; the session goes on asking. */
  | { state: 'lost'; error: ZbcSignerError }
  /** `close` was called; the session is of no more use. */
  | { state: 'closed' };

/** A change of a session. */
export type SessionEvent =
  /** The state that `session.state` has from now on. */
  | { type: 'state'; state: SessionState }
  /** The review ended with a decision on the device; a rejection or a refusal has an error. */
  | { type: 'decided'; approved: boolean; error?: ZbcSignerError | undefined }
  /** The device answers again. Nothing is repeated: whoever wants a signature asks again. */
  | { type: 'reconnected' };
