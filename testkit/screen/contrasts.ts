/** A visible text of a page, with its contrast according to WCAG 2.2, 1.4.3. */
export interface Contrast {
  text: string;
  contrast: number;
}

/** A script for a page. It returns each visible text with its contrast to the nearest opaque background. */
export const CONTRASTS = `(() => {
  const channels = colour => colour.match(/[\\d.]+/g).map(Number);
  const luminance = colour => {
    const [r, g, b] = channels(colour).map(c => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backgroundOf = element => {
    const colour = getComputedStyle(element).backgroundColor;
    return (channels(colour)[3] ?? 1) === 1 ? colour : backgroundOf(element.parentElement);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (text === '' || !element.checkVisibility()) continue;
    const [a, b] = [getComputedStyle(element).color, backgroundOf(element)].map(luminance);
    found.push({ text, contrast: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) });
  }
  return found;
})()`;
