import { part } from './dom.js';

const PLACES = ['home', 'send', 'receive', 'activity', 'more'];
/** The parts of the page in the menu More. */
const REST = ['escrow', 'sign', 'accounts', 'settings'];

/** The part of the page that the URL names; Home for any other URL. */
export function currentPlace(): string {
  const asked = /^#\/(\w+)$/.exec(location.hash)?.[1] ?? '';
  return [...PLACES, ...REST].includes(asked) ? asked : 'home';
}

export function showPlace(name: string): void {
  for (const place of [...PLACES, ...REST]) part(place).hidden = place !== name;
  const shown = REST.includes(name) ? 'more' : name;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('href') === `#/${shown}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}
