interface Verdict {
  published?: boolean;
  release?: { version: string; arch: string; name: string };
  error?: string;
}

/** Maximum size of a file. Browsers can hash a file only as a whole, in memory. */
const MAX_FILE_BYTES = 2 ** 31 - 1;

const drop = document.querySelector<HTMLElement>('#drop')!;
const input = document.querySelector<HTMLInputElement>('#file')!;
const result = document.querySelector<HTMLOutputElement>('#result')!;

/** The file that was chosen last. Only its result is shown. */
let chosen: File | undefined;

function show(text: string, kind: '' | 'good' | 'bad' = ''): void {
  result.className = kind;
  result.textContent = text;
}

async function sha256Of(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

async function ask(sha256: string): Promise<[text: string, kind: 'good' | 'bad']> {
  const response = await fetch(`/verify?sha256=${sha256}`, { headers: { accept: 'application/json' } });
  const { published, release, error } = (await response.json()) as Verdict;
  if (!response.ok || typeof published !== 'boolean') {
    return [`Unknown: ${error ?? 'the gateway sent no reason'}`, 'bad'];
  }
  return published && release
    ? [`Published: version ${release.version}, ${release.arch}, as ${release.name}`, 'good']
    : ['NOT PUBLISHED: the chain has no release with this SHA-256. Do not run this file.', 'bad'];
}

async function verify(file: File): Promise<void> {
  chosen = file;
  let text: string;
  let kind: 'good' | 'bad' = 'bad';
  let sha256 = '';
  show(`Reading ${file.name}…`);
  try {
    sha256 = await sha256Of(file);
    [text, kind] = await ask(sha256);
  } catch {
    text = sha256 === '' ? 'Unknown: the file could not be read.' : 'Unknown: no response from the gateway.';
  }
  if (chosen === file) show(`${file.name}\n${text}${sha256 && `\nSHA-256 ${sha256}`}`, kind);
}

function take(file: File | undefined): void {
  if (!file) return;
  if (!crypto.subtle) {
    show('Unknown: browsers compute hashes only on https or localhost pages.', 'bad');
  } else if (file.size > MAX_FILE_BYTES) {
    show('Unknown: the file is too large for a browser. Use sha256sum and /verify?sha256= instead.', 'bad');
  } else {
    void verify(file);
  }
}

input.addEventListener('change', () => take(input.files?.[0]));
document.addEventListener('dragover', event => {
  event.preventDefault();
  drop.classList.add('over');
});
document.addEventListener('dragleave', () => drop.classList.remove('over'));
document.addEventListener('drop', event => {
  event.preventDefault();
  drop.classList.remove('over');
  take(event.dataTransfer?.files[0]);
});
