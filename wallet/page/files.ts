import { element, onClick } from './dom.js';

/** Has the browser save a text as a file of this type. */
export function saveFile(name: string, text: string, type = 'application/json'): void {
  const link = element('a', '');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** Has the user choose a file when the button is pressed, and reads it. */
export function onFile(buttonId: string, read: (text: string) => void): void {
  const field = element('input', '');
  field.type = 'file';
  field.accept = '.json';
  onClick(buttonId, () => field.click());
  field.addEventListener('change', async () => {
    const text = await field.files?.[0]?.text();
    field.value = '';
    if (text !== undefined) read(text);
  });
}
