import type { ReviewItem } from '@zbc-signer/chain';
import { NonceError } from '@zbc-signer/host';
import { button, element, find, part, showFacts } from './dom.js';
import { InputError } from './fields.js';
import { saveFile } from './files.js';
import { formatClock } from './format.js';
import { notify } from './notify.js';
import { describeError } from './words.js';

/** The dialog of a running task. */
export interface TaskView {
  /** Shows the step in progress. */
  say(text: string): void;
  /** Shows a fact about the task until it ends. */
  note(text: string): void;
  /** Shows the items that the device must show now. */
  review(items: readonly ReviewItem[]): void;
  /** Marks the first `count` steps as done. `name` is a new name for the last of these steps. */
  reach(count: number, name?: string): void;
  /**
   * Makes the task impossible to cancel. The user may close its dialog, and the tab's title shows its
   * `state`.
   */
  commit(state: string): void;
  signal: AbortSignal;
}

/** The first step of every task that asks the device. */
export const COMPARE = 'Compare on the device';
/** The step after it of every task that asks for a signature. */
export const SIGNED = 'Signed';

const dialog = find('task', HTMLDialogElement);
const heading = part('task-heading');
const line = part('task-line');
const step = part('task-step');
const note = part('task-note');
const result = part('task-result');
const cancel = button('task-cancel');
const close = button('task-close');

/** The titles of the names that the device shows beside an address. */
const NAMED = /^(Recipient|Approver) contact$/;
const WAITS = 'Confirm on the device';
const PAGE_TITLE = document.title;

let denied: () => Promise<string> = async () => '';
let running: AbortController | undefined;
let isCommitted = false;

/**
 * Runs `work` in a dialog, which shows the progress in `steps` and the items that the device must show.
 * `work` returns the text or node to show at the end. If it fails, the dialog explains the error, and
 * `runTask` resolves with false. If it throws an InputError, the dialog closes, and `runTask` rejects with
 * that error.
 */
export async function runTask(
  title: string,
  steps: readonly string[],
  work: (view: TaskView) => Promise<string | Node>,
): Promise<boolean> {
  if (running !== undefined) {
    // The user has closed the dialog of the running task.
    if (!dialog.open) dialog.showModal();
    showNote(`First this must end. Then start “${title}” again.`);
    return false;
  }
  const abort = new AbortController();
  running = abort;
  isCommitted = false;
  heading.textContent = title;
  line.replaceChildren(...steps.map(name => element('li', '', element('span', '', name))));
  reach(-1);
  result.replaceChildren();
  cancel.hidden = false;
  close.hidden = true;
  showStep('Preparing…');
  showNote('');
  part('task-review').hidden = true;
  dialog.showModal();
  try {
    const { signal } = abort;
    const view = { say: showStep, note: showNote, review: showReview, reach, commit, signal };
    const outcome = await work(view);
    reach(line.children.length);
    result.replaceChildren(element('div', 'good', outcome));
    showTitle('✓');
    notify('Done', title);
    return true;
  } catch (error) {
    if (error instanceof InputError) {
      dialog.close();
      throw error;
    }
    const failed = line.querySelector<HTMLElement>('[data-state=now]');
    if (failed !== null) failed.dataset.state = 'bad';
    result.replaceChildren(describeError(error), ...evidenceOf(error), ...questionOf(error, steps));
    showTitle('Ended');
    notify('Ended', title);
    return false;
  } finally {
    running = undefined;
    end();
  }
}

/** Sets what happens if the user says that the device rejected a signature by itself. It returns what to show. */
export function onDenial(listener: () => Promise<string>): void {
  denied = listener;
}

/** Asks about a rejection: a dishonest device can reject what its hidden data does not suit. */
function questionOf(error: unknown, steps: readonly string[]): HTMLElement[] {
  const { code, facts } = Object(error);
  // With a reason, a setting of the device refused.
  if (code !== 'USER_REJECTED' || facts?.reason || !steps.includes(SIGNED)) return [];
  const deny = element('button', '', 'I did not reject it');
  deny.addEventListener('click', () => {
    deny.disabled = true;
    void denied().then(
      text => deny.replaceWith(element('p', 'bad', text)),
      fault => deny.replaceWith(describeError(fault)),
    );
  });
  return [deny];
}

/** A button for the evidence against a device, which no text of the page may contain. */
function evidenceOf(error: unknown): HTMLElement[] {
  if (!(error instanceof NonceError)) return [];
  const save = element('button', '', 'Save the evidence');
  save.addEventListener('click', () => saveFile('nonce-evidence.json', error.evidence()));
  const warning = 'It may carry the seed: first move everything to a new seed, then show it to others.';
  return [save, element('p', '', warning)];
}

function reach(count: number, name?: string): void {
  for (const [at, item] of [...line.children].entries()) {
    const { dataset, firstElementChild: shown } = item as HTMLElement;
    if (at < count && dataset.state !== 'done') item.append(element('time', '', formatClock(new Date())));
    dataset.state = at < count ? 'done' : at === count ? 'now' : 'next';
    if (at === count) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
    if (at === count - 1 && name !== undefined) shown!.textContent = name;
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
  showFacts(part('task-items'), items);
  part('task-names').replaceChildren(
    ...items
      .filter(([title]) => NAMED.test(title))
      .map(([title, name]) =>
        element(
          'p',
          '',
          'The device shows ',
          element('strong', '', `${title}: ${name}`),
          ' and the address. Without that page, reject.',
        ),
      ),
  );
  reach(0);
  part('task-review').hidden = false;
  part('task-demand').hidden = false;
  showStep('Compare every page on the device, then approve or reject there.');
  showTitle(WAITS);
  notify(WAITS, heading.textContent);
}

/** Shows the state in the tab's title, for a user who looks at another tab. */
function showTitle(state: string): void {
  document.title = `${state} · ${PAGE_TITLE}`;
}

function commit(state: string): void {
  isCommitted = true;
  showTitle(state);
  showNote('');
  part('task-demand').hidden = true;
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
