import type { ReviewItem, ZbcSignerError } from '@zbc-signer/chain';
import type { SignerVersion } from '../replies.js';

/** The state of a device, for a wallet to show. */
export type SessionState =
  /** The device has not answered yet. */
  | { state: 'connecting' }
  /** The device waits for a command. */
  | { state: 'ready'; version: SignerVersion }
  /** The device is locked or has no seed. */
  | { state: 'locked' }
  /** The device runs another app; `app` is its name, if known. */
  | { state: 'other-app'; app?: string | undefined }
  /** The device shows a review of another program. */
  | { state: 'busy' }
  /** The device shows a review that a call of this session has caused. `items` are the expected items. */
  | { state: 'review'; items: ReviewItem[] }
  /**
   * The device has not answered for 5 seconds although it is connected and shows no review; the session
   * continues to wait.
   */
  | { state: 'unresponsive' }
  /** The device is unplugged or sends invalid replies; the session continues to poll it. */
  | { state: 'lost'; error: ZbcSignerError }
  /** `close` was called; the session can no longer be used. */
  | { state: 'closed' };

/** A change of a session. */
export type SessionEvent =
  /** The new value of `session.state`. */
  | { type: 'state'; state: SessionState }
  /** The review ended with a decision on the device. After a rejection or a refusal, `error` is set. */
  | { type: 'decided'; approved: boolean; error?: ZbcSignerError | undefined }
  /** The device answers again. No failed call is repeated: the caller must request the signature again. */
  | { type: 'reconnected' };
