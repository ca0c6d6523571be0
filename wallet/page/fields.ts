import { element, find, onSubmit, part } from './dom.js';
import { PageError, sentence } from './words.js';

/** A field that is wrong: `field` is its id. */
export class InputError extends PageError {
  override readonly name = 'InputError';

  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** Reads a field's text without surrounding spaces. Throws InputError if `read` throws. */
export function readField<Value>(id: string, read: (text: string) => Value): Value {
  try {
    return read(find(id, HTMLInputElement).value.trim());
  } catch (error) {
    throw new InputError(id, (error as Error).message);
  }
}

/** `submit` resolves with true when the form has done its work; an InputError is shown beside its field. */
export function onForm(id: string, submit: (pressed: HTMLElement | null) => Promise<boolean>): void {
  const form = find(id, HTMLFormElement);
  onSubmit(form, async pressed => {
    try {
      if (await submit(pressed)) form.reset();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      showFault(error);
      part(error.field).focus();
    }
  });
}

/** Once the user has filled a field, shows next to it what is wrong. */
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

/** Shows the error until the field changes. */
function showFault({ field: id, message }: InputError): void {
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
