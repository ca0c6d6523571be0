const form = document.querySelector('form')!;
const address = document.querySelector<HTMLInputElement>('#address')!;
const button = document.querySelector('button')!;
const output = document.querySelector('output')!;

async function requestCoins(): Promise<string> {
  const response = await fetch('/faucet', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: address.value.trim() }),
  });
  const reply = (await response.json()) as { transaction_hash?: unknown; error?: unknown };
  return response.ok
    ? `Sent 100 ZBC and two tokens.\nTransaction ${reply.transaction_hash}`
    : String(reply.error);
}

form.addEventListener('submit', async event => {
  event.preventDefault();
  button.disabled = true;
  output.textContent = 'Requesting…';
  output.textContent = await requestCoins().catch(() => 'No response from the network.');
  button.disabled = false;
});
