import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Returns the rules that a page breaks, each with the elements that break it. */
const BROKEN_RULES = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ target }) => target.join())].join(' ')))`;

/** What axe and LAYOUT_FAULTS find in a page, as texts. */
export async function faultsOf(page: Page): Promise<string[]> {
  // What follows the size of the window does so a frame later.
  await page.waitForTimeout(50);
  await page.evaluate(AXE);
  return [
    ...(await page.evaluate<string[]>(LAYOUT_FAULTS)),
    ...(await page.evaluate<string[]>(BROKEN_RULES)),
  ];
}

/**
 * A script for a page. It returns what in the page's layout contradicts wallet/page/look.css, as texts: content that
 * is cut or broken, targets that are too small, sizes that are not on the scale.
 */
const LAYOUT_FAULTS = `(() => {
  const SIZES = [12, 14, 16, 20, 28, 40];
  const isPhone = innerWidth < 640;
  const faults = [];
  const root = document.documentElement;
  const seen = [...document.body.querySelectorAll('*')].filter(
    each => each.checkVisibility({ visibilityProperty: true }) && each.closest('.visually-hidden, .skip, option') === null,
  );
  const box = each => each.getBoundingClientRect();
  const named = each => each.tagName.toLowerCase() + (each.id && '#' + each.id) + ' ' + each.textContent.trim().replaceAll(/\\s+/g, ' ').slice(0, 30);
  const need = (isTrue, what, each) => isTrue || faults.push(what + ': ' + (each ? named(each) : ''));

  need(root.scrollWidth <= innerWidth, 'the page is wider than the window');
  const content = seen.filter(each => each.closest('main, .places, .brand, .chips') && each.closest('nav') === null);
  const end = Math.max(...content.map(each => box(each).bottom + scrollY));
  const nav = seen.find(each => each.tagName === 'NAV');
  const below = nav && getComputedStyle(nav).position === 'fixed' ? box(nav).height : 0;
  need(root.scrollHeight <= innerHeight || end + below > innerHeight - 24, 'the page scrolls although all of it fits');

  for (const each of seen) {
    const { fontSize, rowGap, columnGap, paddingLeft, paddingTop, paddingRight, paddingBottom } = getComputedStyle(each);
    const hasText = [...each.childNodes].some(child => child.nodeType === 3 && child.textContent.trim() !== '');
    if (hasText && !each.matches('svg *')) need(SIZES.includes(parseFloat(fontSize)), 'size ' + fontSize + ' is not on the scale', each);
    for (const length of [rowGap, columnGap, paddingLeft, paddingTop, paddingRight, paddingBottom]) {
      need(length === 'normal' || each.matches('svg *, body, dialog, progress') || parseFloat(length) % 4 === 0, 'space ' + length, each);
    }
    need(!each.matches('p') || each.textContent.trim() !== '' || box(each).height === 0, 'an empty text takes room', each.parentElement);
    if (!each.matches('button, a, input, select, textarea, summary')) continue;
    const { width, height } = box(each.closest('label') ?? each);
    need(box(each).right < box(each.parentElement).right + 1, 'sticks out of what holds it', each);
    need(width >= 24 && height >= 24, 'the target is smaller than 24 pixels', each);
    const isMain = each.matches('button, .button, nav a, input:not([type=checkbox]), select');
    need(!isPhone || !isMain || height >= 44, 'the control is lower than 44 pixels', each);
  }

  const lines = [...document.querySelectorAll('#task-line li')].filter(each => each.checkVisibility()).map(each => box(each).width);
  need(Math.max(0, ...lines) - Math.min(...lines, 1e9) < 1, 'steps of a task have different widths');
  const chips = seen.filter(each => each.matches('.chip')).map(box);
  const edge = box(document.querySelector('main'));
  const bar = box(document.querySelector('.brand') ?? document.body);
  need(chips.length === 0 || chips.at(-1).right === edge.right || chips.at(-1).left === bar.left || chips[0].left === bar.left, 'the chips are off the grid');

  for (const each of seen) {
    if (!/^(\\S+ )?ZBC_\\w{60,70}$/.test(each.textContent.trim()) || !each.matches('p, dd')) continue;
    let top = -1;
    const counts = [];
    const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      for (let at = 0; at < node.length; at++) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { top: now, height } = range.getBoundingClientRect();
        if (height === 0) continue;
        if (Math.abs(now - top) > 4) {
          need(node.data[at] !== '_', 'a line of an address begins with _', each);
          counts.push(0);
          top = now;
        }
        if (node.data[at] === '_') counts[counts.length - 1]++;
      }
    }
    need(counts.every(count => count <= 4), 'more than four groups of an address in a line', each);
    need(new Set(counts.slice(0, -1)).size <= 1, 'lines of an address with different numbers of groups ' + counts, each);
  }
  for (const field of seen.filter(each => each.matches('input') && each.scrollWidth > each.clientWidth)) {
    if (!/^ZBC_\\w{60,}$/.test(field.value) || field.ariaInvalid === 'true') continue;
    need(seen.some(each => each.matches('p, dd') && each.textContent === field.value), 'an address is only shown cut', field);
  }
  const numbers = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (numbers.nextNode()) {
    const node = numbers.currentNode;
    for (const { index, 0: digits } of node.data.matchAll(/(?<![0-9a-f])-?\\d{12,}(?![0-9a-f])/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + digits.length);
      need(new Set([...range.getClientRects()].map(({ top }) => top)).size <= 1, 'a number is broken', node.parentElement);
    }
  }
  for (const section of document.querySelectorAll('#wallet > section')) {
    if (!section.checkVisibility()) continue;
    need(box(section.querySelector('h2')).height > 16, 'the place has no visible title', section);
  }
  return [...new Set(faults)];
})()`;
