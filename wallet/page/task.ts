import type { ReviewItem } from '@zbc-signer/chain';
import { button, element, find, part, showFacts } from './dom.js';
import { InputError } from './fields.js';
import { describeError } from './words.js';

/** What a task shows while it runs. */
export interface TaskView {
  /** A step that goes on. */
  say(text: string): void;
  /** A fact about the task, until it ends. */
  note(text: string): void;
  /** What the device must show now. */
  review(items: readonly ReviewItem[]): void;
  /** From now on the task cannot be cancelled; it may be left running in the background. */
  commit(): void;
  signal: AbortSignal;
}

const dialog = find('task', HTMLDialogElement);
const heading = part('task-heading');
const step = part('task-step');
const note = part('task-note');
const result = part('task-result');
const cancel = button('task-cancel');
const close = button('task-close');

const PAGE_TITLE = document.title;

let running: AbortController | undefined;
let isCommitted = false;

/**
 * Runs work in a dialog that shows its steps and what the device must show; resolves with false when it
 * failed, which the dialog says in plain words. `work` gives what to show at the end; an InputError of it
 * closes the dialog and is thrown.
 */
export async function runTask(
  title: string,
  work: (view: TaskView) => Promise<string | Node>,
): Promise<boolean> {
  if (running !== undefined) {
    // One that goes on in the background is shown again.
    if (!dialog.open) dialog.showModal();
    return false;
  }
  const abort = new AbortController();
  running = abort;
  isCommitted = false;
  heading.textContent = title;
  result.replaceChildren();
  cancel.hidden = false;
  close.hidden = true;
  showStep('Preparing…');
  showNote('');
  part('task-review').hidden = true;
  dialog.showModal();
  try {
    const { signal } = abort;
    const outcome = await work({ say: showStep, note: showNote, review: showReview, commit, signal });
    result.replaceChildren(element('div', 'good', outcome));
    showTitle('✓');
    return true;
  } catch (error) {
    if (error instanceof InputError) {
      dialog.close();
      throw error;
    }
    result.replaceChildren(describeError(error));
    showTitle('Ended');
    return false;
  } finally {
    running = undefined;
    end();
  }
}

function showStep(text: string): void {
  step.textContent = text;
  step.hidden = false;
  step.dataset.busy = '';
}

function showNote(text: string): void {
  note.textContent = text;
  note.hidden = text === '';
}

function showReview(items: readonly ReviewItem[]): void {
  showFacts(part('task-items'), items, /hash|recipient|approver|sender|address|token$/i);
  part('task-review').hidden = false;
  showStep('Compare every page on the device, then approve or reject there.');
  showTitle('Confirm on the device');
}

/** For a user who has another tab in front. */
function showTitle(state: string): void {
  document.title = `${state} · ${PAGE_TITLE}`;
}

function commit(): void {
  isCommitted = true;
  showTitle('Sending');
  part('task-review').hidden = true;
  cancel.hidden = true;
  close.hidden = false;
}

function end(): void {
  showNote('');
  step.hidden = true;
  delete step.dataset.busy;
  part('task-review').hidden = true;
  cancel.hidden = true;
  close.hidden = false;
  if (dialog.open) close.focus();
}

cancel.addEventListener('click', () => running?.abort());
close.addEventListener('click', () => dialog.close());
dialog.addEventListener('close', () => {
  if (running === undefined) document.title = PAGE_TITLE;
});
dialog.addEventListener('cancel', event => {
  if (running === undefined || isCommitted) return;
  event.preventDefault();
  running.abort();
});
