import { element, onClick } from './dom.js';
import { PageError } from './words.js';

/** Maximum size of a file. Files that this page has saved are smaller. */
const MAX_BYTES = 1 << 20;

/** Lets the browser save text as a file of a MIME type. */
export function saveFile(name: string, text: string, type = 'application/json'): void {
  const link = element('a', '');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/**
 * When the button is pressed, lets the user choose a file, and passes its text to `read` or an error to
 * `fail`.
 */
export function onFile(
  buttonId: string,
  read: (text: string) => unknown,
  fail: (error: unknown) => void,
): void {
  const field = element('input', '');
  field.type = 'file';
  field.accept = '.json';
  onClick(buttonId, () => field.click());
  field.addEventListener('change', async () => {
    const [file] = field.files ?? [];
    if (file === undefined) return;
    try {
      if (file.size > MAX_BYTES) throw new PageError('the file is too large for this page');
      await read(await file.text());
    } catch (error) {
      fail(error);
    }
    field.value = '';
  });
}
