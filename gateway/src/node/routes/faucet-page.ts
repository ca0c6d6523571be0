import { createHash } from 'node:crypto';

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; }
input { font: 14px/1.5 ui-monospace, monospace; width: 100%; box-sizing: border-box; padding: .5rem; }
button { font: inherit; margin-top: 1rem; padding: .5rem 1.5rem; }
output { display: block; margin-top: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

// What the node answers is shown as text only.
const SCRIPT = `
const form = document.querySelector('form');
const output = document.querySelector('output');
const button = document.querySelector('button');
form.addEventListener('submit', async event => {
  event.preventDefault();
  button.disabled = true;
  output.textContent = 'Asking…';
  try {
    const response = await fetch('/faucet', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address: form.elements.address.value.trim() }),
    });
    const reply = await response.json();
    output.textContent = response.ok ? 'Paid: 100 ZBC and some of two tokens.\\nTransaction ' + reply.transaction_hash : reply.error;
  } catch {
    output.textContent = 'The network did not answer.';
  }
  button.disabled = false;
});
`;

/** The page that gives coins of the development network to an address; it loads nothing else. */
export const FAUCET_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Faucet of the ZBC development network</title>
<style>${STYLE}</style>
<h1>Faucet</h1>
<p>Gives 100 ZBC and some of two tokens of this development network to an address. They are worth nothing.</p>
<form>
<label for="address">Address</label>
<input id="address" name="address" required maxlength="200" autocomplete="off" spellcheck="false" placeholder="ZBC_…">
<button>Give</button>
</form>
<output aria-live="polite"></output>
<script>${SCRIPT}</script>
</html>
`;

/** Lets the page run its own style and script, by their hashes, ask its own origin, and nothing else. */
export const FAUCET_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${sourceHash(STYLE)}`,
    `script-src ${sourceHash(SCRIPT)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
};

function sourceHash(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
}
