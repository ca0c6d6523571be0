// gallery.js FILE: writes an HTML page with every screen of the golden cases, drawn by the firmware, beside the
// review that each case expects.
import { readFileSync, writeFileSync } from 'node:fs';
import { fromHex, TEST_MNEMONIC } from '@zbc-signer/chain';
import { Emulator, type Screen } from '@zbc-signer/emulator';
import { drawScreen, html, type Markup, renderReport } from '@zbc-signer/emulator/report';
import { type ReviewItem, Signer, type TokenDetails } from '@zbc-signer/host';

interface GoldenCase {
  name: string;
  account: number;
  genesis: string;
  tx: string;
  linked?: string;
  token?: TokenDetails;
  expect: { review: ReviewItem[] };
}

/** A case of several commands, each with the review that it opens, if any. */
interface GoldenSession {
  name: string;
  steps: { command: string; review?: ReviewItem[] }[];
}

/** A review that was approved. */
interface Drawn {
  name: string;
  expected: readonly ReviewItem[];
  screens: readonly Screen[];
}

const VECTORS = new URL('../../../vectors/', import.meta.url);

function casesOf<Case>(name: string): Case[] {
  const file = JSON.parse(readFileSync(new URL(`${name}.json`, VECTORS), 'utf8')) as { cases: Case[] };
  return file.cases;
}

async function drawCase({ name, account, genesis, tx, linked, token, expect }: GoldenCase): Promise<Drawn> {
  const emulator = await Emulator.start({ seed: TEST_MNEMONIC, device: null });
  const signed = new Signer(emulator.transport()).signTransaction({
    account,
    genesisHash: fromHex(genesis),
    transaction: fromHex(tx),
    ...(linked !== undefined && { linked: fromHex(linked) }),
    ...(token && { token }),
  });
  const [screens] = await Promise.all([walk(emulator), signed]);
  emulator.stop();
  return { name, expected: expect.review, screens };
}

async function drawSession({ name, steps }: GoldenSession): Promise<Drawn[]> {
  const emulator = await Emulator.start({ seed: TEST_MNEMONIC, device: null });
  const drawn: Drawn[] = [];
  for (const { command, review } of steps) {
    const sent = emulator.exchange(fromHex(command));
    if (emulator.reviewing) drawn.push({ name, expected: review ?? [], screens: await walk(emulator) });
    await sent;
  }
  emulator.stop();
  return drawn;
}

/** Approves a review; resolves with its screens. */
async function walk(emulator: Emulator): Promise<Screen[]> {
  await emulator.waitForReview();
  const screens = [emulator.screen];
  const onScreen = (screen: Screen) => screens.push(screen);
  emulator.on('screen', onScreen);
  await emulator.review();
  emulator.off('screen', onScreen);
  await emulator.approve();
  return screens;
}

/** The alternative text of a picture repeats the texts on the screen. */
const drawn = ({ frame, texts }: Screen): Markup =>
  html`${drawScreen(texts.map(({ text }) => text).join('\n'), frame)}
`;

function renderReview({ name, expected, screens }: Drawn): Markup {
  return html`<h2>${name}</h2>
<p>${screens.map(drawn)}</p>
<table>${expected.map(([title, value]) => html`<tr><th scope="row">${title}</th><td>${value}</td></tr>\n`)}</table>
`;
}

const STYLE = `
th { width: 12rem; font-weight: normal; }
td { overflow-wrap: anywhere; white-space: pre-wrap; }
img { margin: .2rem; }
`;

const reviews: Drawn[] = [];
for (const each of casesOf<GoldenCase>('transactions')) reviews.push(await drawCase(each));
for (const each of casesOf<GoldenSession>('contacts')) reviews.push(...(await drawSession(each)));
const content = html`<p>Every screen of every review of the golden cases, drawn by the firmware, above the items that the
independent code of <code>vectors/</code> expects.</p>
${reviews.map(renderReview)}`;
writeFileSync(process.argv[2]!, renderReport('Reviews of the ZBC signer', STYLE, content));
console.log(`${reviews.length} reviews on ${reviews.flatMap(({ screens }) => screens).length} screens`);
