import { byId } from './elements.js';

const runner = byId('runner', HTMLSelectElement);
const fault = byId('session-fault', HTMLElement);

/** The session from the emulator's start: restarted, opened as a trace, or saved as a test. */
export function listenForSession(): void {
  const onClick = (id: string, act: () => void) => byId(id, HTMLButtonElement).addEventListener('click', act);
  onClick('restart', () => void ask('/restart', { method: 'POST' }));
  onClick('open-trace', () => window.open('/panel/trace', '_blank', 'noopener'));
  onClick('save-test', () => void saveTest(runner.value));
}

/** False, and says why, when the emulator refuses. */
async function ask(path: string, init?: RequestInit): Promise<boolean> {
  fault.textContent = '';
  const response = await fetch(path, init).catch(() => undefined);
  if (response?.ok) return true;
  const { error } = (await response?.json()) ?? { error: 'the emulator did not answer' };
  fault.textContent = String(error);
  return false;
}

async function saveTest(name: string): Promise<void> {
  const path = `/panel/test/${name}`;
  // A download would save the refusal too.
  if (!(await ask(path))) return;
  const link = document.createElement('a');
  link.href = path;
  link.download = name === 'pytest' ? 'test_session.py' : 'session.test.ts';
  link.click();
}
