import { type Account, formatAccount } from '@zbc-signer/chain';
import { attempt, element, find, groupsOf, onSubmit, part } from './dom.js';
import { PageError, sentence } from './words.js';

/** A form field has an invalid value. `field` is the id of the element. */
export class InputError extends PageError {
  override readonly name = 'InputError';

  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** Passes the text of a field, without surrounding spaces, to `read`. Throws InputError if `read` throws. */
export function readField<Value>(id: string, read: (text: string) => Value): Value {
  try {
    return read(find(id, HTMLInputElement).value.trim());
  } catch (error) {
    throw new InputError(id, (error as Error).message);
  }
}

/**
 * Calls `submit` when the user submits the form. If it resolves with true, the form is emptied, unless the
 * user has changed a field meanwhile. An InputError is shown next to its field.
 */
export function onForm(id: string, submit: (pressed: HTMLElement | null) => Promise<boolean>): void {
  const form = find(id, HTMLFormElement);
  const values = () => JSON.stringify([...form.elements].map(field => Reflect.get(field, 'value')));
  onSubmit(form, async pressed => {
    const submitted = values();
    try {
      if ((await submit(pressed)) && values() === submitted) form.reset();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      showFault(error);
      part(error.field).focus();
    }
  });
}

/** Checks a field when the user has changed it, and shows an error next to the field. */
export function checkOnChange(id: string, check: () => void): void {
  const field = find(id, HTMLInputElement);
  field.addEventListener('change', () => {
    if (field.value === '') return;
    try {
      check();
    } catch (error) {
      showFault(error instanceof InputError ? error : new InputError(id, (error as Error).message));
    }
  });
}

/** Shows the address that `read` finds in a field below it in groups, because a narrow field cuts an address. */
export function showAddress(id: string, read: (text: string) => Account): () => void {
  const field = find(id, HTMLInputElement);
  const shown = element('p', 'mono address');
  const show = () => {
    const address = attempt(() => formatAccount(read(field.value.trim()))) ?? '';
    if (shown.textContent !== address) shown.replaceChildren(...groupsOf(address));
  };
  field.parentElement!.append(shown);
  field.addEventListener('input', show);
  field.form!.addEventListener('reset', () => queueMicrotask(show));
  return show;
}

/** Shows an error next to its field until the field changes. */
export function showFault({ field: id, message }: InputError): void {
  const field = part(id);
  const faultId = `${id}-fault`;
  document.getElementById(faultId)?.remove();
  const fault = element('p', 'fault', sentence(message));
  fault.id = faultId;
  fault.setAttribute('role', 'alert');
  field.after(fault);
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-errormessage', faultId);
  field.addEventListener('input', clear, { once: true });

  function clear(): void {
    fault.remove();
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-errormessage');
  }
}
