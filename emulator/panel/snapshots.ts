// The script of the page of changed snapshots. It imports nothing, because the page is one file. If
// `snapshots review` serves the page, approving writes the snapshots. Otherwise the page shows the command
// that writes them.

interface PageData {
  served: boolean;
  /** Changes with the same `set` are approved together. */
  changes: { name: string; digest: string; set?: string }[];
}

const TOKEN_HEADER = 'x-zbc-signer-token';
/** Number of digits of a digest in the command. The digest ensures that only the shown picture is written. */
const DIGITS = 16;

const byId = <E extends HTMLElement>(id: string, kind: new () => E): E => {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no element #${id}`);
  return found;
};

const { served, changes } = JSON.parse(byId('changes', HTMLScriptElement).text) as PageData;
const search = byId('search', HTMLInputElement);
const articles = [...document.querySelectorAll('article')];
const searched = articles.map(article => (article.textContent ?? '').toLowerCase());
const approved = new Set<number>();
let current = -1;

/** The token after the # of the URL, which browsers never send to a server. It is stored for a reload. */
const token = location.hash.slice(1) || sessionStorageOf()?.getItem('token') || '';
if (served) {
  sessionStorageOf()?.setItem('token', token);
  history.replaceState(null, '', location.pathname);
}

/** Returns undefined if the browser forbids storage. */
function sessionStorageOf(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

const isVisible = (index: number): boolean => articles[index]?.hidden === false;

/** Moves to the next visible change in a direction. */
function move(direction: 1 | -1): void {
  for (let at = current + direction; at >= 0 && at < articles.length; at += direction) {
    if (!isVisible(at)) continue;
    articles[at]?.focus();
    return;
  }
}

/**
 * Marks the current change. It does not move the focus: that might scroll, and a click might miss its button.
 */
function mark(index: number): void {
  articles[current]?.removeAttribute('aria-current');
  current = index;
  articles[index]?.setAttribute('aria-current', 'true');
}

function filter(): void {
  const wanted = search.value.trim().toLowerCase();
  for (const [index, article] of articles.entries()) {
    article.hidden = !(searched[index] ?? '').includes(wanted);
  }
  const shown = articles.filter(({ hidden }) => !hidden).length;
  byId('found', HTMLElement).textContent = wanted === '' ? '' : `${shown} of ${articles.length}`;
}

function show(index: number, text: string): void {
  const article = articles[index];
  const button = article?.querySelector('button');
  button?.setAttribute('aria-pressed', `${approved.has(index)}`);
  article?.classList.toggle('approved', approved.has(index));
  const status = article?.querySelector('[role=status]');
  if (status) status.textContent = text;
}

/** Quotes a word for a POSIX shell; names contain no control characters. */
function quote(name: string): string {
  const path = name.startsWith('-') ? `./${name}` : name;
  return /^[\w./:@%+=#-]+$/.test(path) ? path : `'${path.replace(/'/g, "'\\''")}'`;
}

function showCommand(): void {
  const names = [...approved]
    .sort((a, b) => a - b)
    .map(index => changes[index])
    .filter(change => change !== undefined)
    .map(({ name, digest }) => quote(`${name}#${digest.slice(0, DIGITS)}`));
  byId('command', HTMLElement).hidden = names.length === 0;
  byId('words', HTMLElement).textContent = ['npx zbc-signer snapshots approve', ...names].join(' \\\n  ');
}

/** Chooses changes on a page without a server. With `isToggled`, a change that was chosen is deselected. */
function choose(indices: readonly number[], isToggled: boolean): void {
  for (const index of indices) {
    if (isToggled && approved.has(index)) approved.delete(index);
    else approved.add(index);
    show(index, approved.has(index) ? 'Chosen' : '');
  }
  showCommand();
}

async function write(indices: readonly number[]): Promise<void> {
  const wanted = indices.filter(index => !approved.has(index));
  if (wanted.length === 0) return;
  let fault = '';
  try {
    const response = await fetch('/approve', {
      method: 'POST',
      headers: { 'content-type': 'application/json', [TOKEN_HEADER]: token },
      body: JSON.stringify({ snapshots: wanted.map(index => changes[index]) }),
    });
    if (!response.ok) fault = ((await response.json()) as { error: string }).error;
  } catch {
    fault = 'the command that serves this page has ended';
  }
  for (const index of wanted) {
    if (fault === '') approved.add(index);
    show(index, fault === '' ? 'Approved' : `Not approved: ${fault}`);
  }
}

function approve(indices: readonly number[], isToggled = false): void {
  const sets = indices.map(index => changes[index]?.set).filter(set => set !== undefined);
  const all = [...changes.keys()].filter(
    index => indices.includes(index) || sets.includes(changes[index]?.set ?? ''),
  );
  if (served) void write(all);
  else choose(all, isToggled);
}

for (const [index, article] of articles.entries()) {
  article.addEventListener('focusin', () => mark(index));
  article.querySelector('button')?.addEventListener('click', () => approve([index], true));
}
byId('all', HTMLButtonElement).addEventListener('click', () =>
  approve([...articles.keys()].filter(isVisible)),
);
byId('copy', HTMLButtonElement).addEventListener('click', () => {
  const words = byId('words', HTMLElement);
  getSelection()?.selectAllChildren(words);
  navigator.clipboard?.writeText(words.textContent ?? '').catch(() => undefined);
});
search.addEventListener('input', filter);

const KEYS: Readonly<Record<string, () => void>> = {
  ArrowDown: () => move(1),
  j: () => move(1),
  ArrowUp: () => move(-1),
  k: () => move(-1),
  a: () => {
    if (isVisible(current)) approve([current], true);
  },
  '/': () => search.focus(),
};

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === search) {
    if (event.key !== 'Escape' && event.key !== 'Enter') return;
    search.blur();
    if (event.key === 'Enter') move(1);
    return;
  }
  const act = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
  if (!act) return;
  event.preventDefault();
  act();
});
