import { type AccountMovement, accountMovements, type Draft, type ReviewItem } from '@zbc-signer/host';
import { useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { SignerContext } from './provider.js';
import type { OpenTransport, Reading, SendOptions, SignerStore } from './store.js';
import { type ActivityView, INITIAL, type SendView, type SignerView, type Views } from './views.js';

/** The state of the device, and functions that connect and disconnect it. */
export type SignerHook = SignerView & {
  /**
   * Connects to the device that `open` reaches. `open` is called synchronously, so in a click handler it may
   * ask the browser for a device. Does nothing if a device is connected or connecting.
   */
  connect: (open: OpenTransport) => void;
  /** Releases the device. A review on the device ends, and nothing is signed. */
  disconnect: () => void;
};

/** The review that the device shows for this page. */
export interface ReviewHook {
  isOpen: boolean;
  /** The items that the device must show; empty unless a review is open. */
  items: readonly ReviewItem[];
  /** Ends an open review: its call fails with `ABORTED`, and nothing is signed. */
  cancel: () => void;
}

/** The state of the payment, and functions that start it and clear its outcome. */
export type SendHook = SendView & {
  /**
   * Builds a transaction, requests its signature from the device, sends it and waits for its block. Does
   * nothing and returns false while an earlier transaction is being sent.
   */
  send: (draft: Draft, options?: SendOptions) => boolean;
  /** Returns to the state `idle`, unless a payment is being sent. */
  clear: () => void;
};

/** Earlier payments, and functions that read or settle them. */
export type ActivityHook = Omit<ActivityView, 'transactions'> & {
  /** The newest movements of the account, newest first, those that no block has yet before them. */
  movements: readonly AccountMovement[];
  /** The height of the oldest block that was read; undefined before the first one. */
  readFrom?: bigint | undefined;
  /** The error of the last attempt to read blocks; undefined after a success. */
  blocksError?: unknown;
  /** Reads the journal and the gateway again. */
  refresh: () => Promise<void>;
  /** Calls the host's `resumePayments`: looks up the unsettled payments, and sends the same bytes again. */
  resume: () => Promise<void>;
};

const NO_ITEMS: readonly ReviewItem[] = [];

/** Returns the state of the device that all components under the provider share. */
export function useSigner(): SignerHook {
  const [store, view] = useView('signer');
  const { connect, disconnect } = store;
  return useMemo(() => ({ ...view, connect, disconnect }), [view, connect, disconnect]);
}

/** Returns the review that the device must show now, whichever component has caused it. */
export function useReview(): ReviewHook {
  const [{ cancelReview: cancel }, view] = useView('signer');
  return useMemo(() => {
    const isOpen = view.state === 'review';
    return { isOpen, items: isOpen ? view.items : NO_ITEMS, cancel };
  }, [view, cancel]);
}

/**
 * Returns the payment that all components under the provider share. It continues if the component is
 * unmounted.
 */
export function useSend(): SendHook {
  const [store, view] = useView('sending');
  const { send, clear } = store;
  return useMemo(() => ({ ...view, send, clear }), [view, send, clear]);
}

/**
 * Returns the unsettled payments of the journal, and the newest movements of `address`: 100 or more, or all of the
 * newest 1,000 blocks. Both are read when a component is mounted, after each payment, and by `refresh`.
 */
export function useActivity(address?: string): ActivityHook {
  const [store, view] = useView('activity');
  const { readActivity, readBlocks, refresh, resume } = store;
  const { transactions } = view;
  const [reading, show] = useState<Reading>({ address: '' });
  useEffect(readActivity, [readActivity]);
  // A new list follows each payment, which newer blocks may have.
  useEffect(() => readBlocks(address, transactions, show), [readBlocks, address, transactions]);
  const { span, error: blocksError } = reading.address === address ? reading : {};
  const movements = useMemo(() => {
    const lists = { transactions, movements: [] };
    return address === undefined ? [] : accountMovements(address, span, lists).reverse();
  }, [address, span, transactions]);
  return useMemo(() => {
    const { transactions: _, ...rest } = view;
    return { ...rest, movements, readFrom: span?.from, blocksError, refresh, resume };
  }, [view, movements, span, blocksError, refresh, resume]);
}

function useView<Name extends keyof Views>(name: Name): [SignerStore, Views[Name]] {
  const store = useContext(SignerContext);
  if (store === undefined) throw new Error('this component must be inside a SignerProvider');
  const view = useSyncExternalStore(
    store.subscribe,
    () => store.views[name],
    () => INITIAL[name],
  );
  return [store, view];
}
