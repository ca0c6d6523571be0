import { byId } from './elements.js';

const runner = byId('runner', HTMLSelectElement);
const step = byId('device-step', HTMLInputElement);
const seed = byId('device-seed', HTMLInputElement);
const fault = byId('session-fault', HTMLElement);

/**
 * Listens for the buttons of the session, which began when the emulator was started. They restart the device,
 * open the session as a trace, save it as a test, or continue it on another device.
 */
export function listenForSession(): void {
  const onClick = (id: string, act: () => void) => byId(id, HTMLButtonElement).addEventListener('click', act);
  onClick('restart', () => void ask('/restart', { method: 'POST' }));
  onClick('open-trace', () => window.open('/panel/trace', '_blank', 'noopener'));
  onClick('save-test', () => void saveTest(runner.value));
  byId('device-form', HTMLFormElement).addEventListener('submit', event => {
    event.preventDefault();
    void openDevice();
  });
}

/** Opens another device in a new tab. It is new, or has the state that this device had after a step. */
async function openDevice(): Promise<void> {
  const device = {
    ...(step.value !== '' && { step: Number(step.value) }),
    ...(seed.value !== '' && { seed: seed.value }),
  };
  const response = await ask('/panel/device', { method: 'POST', body: JSON.stringify(device) });
  if (response === undefined) return;
  const { api } = (await response.json()) as { api: string };
  window.open(api, '_blank', 'noopener');
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
