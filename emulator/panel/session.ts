import { byId } from './elements.js';

const runner = byId('runner', HTMLSelectElement);
const fault = byId('session-fault', HTMLElement);

/**
 * Listens for the buttons of the session, which began when the emulator was started. They restart the device,
 * open the session as a trace, or save it as a test.
 */
export function listenForSession(): void {
  const onClick = (id: string, act: () => void) => byId(id, HTMLButtonElement).addEventListener('click', act);
  onClick('restart', () => void ask('/restart', { method: 'POST' }));
  onClick('open-trace', () => window.open('/panel/trace', '_blank', 'noopener'));
  onClick('save-test', () => void saveTest(runner.value));
}

/** If the request fails, shows the reason and returns undefined. */
async function ask(path: string, init?: RequestInit): Promise<Response | undefined> {
  fault.textContent = '';
  const response = await fetch(path, init).catch(() => undefined);
  if (response?.ok) return response;
  const { error } = (await response?.json()) ?? { error: 'the emulator did not answer' };
  fault.textContent = String(error);
  return undefined;
}

async function saveTest(name: string): Promise<void> {
  const path = `/panel/test/${name}`;
  // The request is tried first, because a download would also save an error response as a file.
  if ((await ask(path)) === undefined) return;
  const link = document.createElement('a');
  link.href = path;
  link.download = name === 'pytest' ? 'test_session.py' : 'session.test.mjs';
  link.click();
}
