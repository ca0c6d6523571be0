import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  cleanText,
  decodeLinked,
  decodeTransaction,
  fromHex,
  parseJson,
  TEST_MNEMONIC,
  TransactionError,
  toHex,
} from '@zbc-signer/chain';
import { Emulator, NoReviewError, type Screen } from '@zbc-signer/emulator';
import { drawScreen, html, type Markup, renderReport } from '@zbc-signer/emulator/report';
import {
  DeviceError,
  formatText,
  networkName,
  Signer,
  type SignTransactionRequest,
  type TokenDetails,
} from '@zbc-signer/host';
import { MAX_ACCOUNT_INDEX } from '@zbc-signer/protocol/limits';
import { UsageError } from '../errors/errors.js';
import { readBytes } from '../input/files.js';
import type { Row } from '../output/table.js';
import type { Terminal } from '../output/terminal.js';
import { defineCommand } from '../parser/command.js';
import { transactionRows } from '../transaction/fields.js';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_CASES = 5000;
const MAX_CASE_DIGITS = 20_000;

/** A request to the device: a transaction with its header fields, a message, or the commands as they are sent. */
type GalleryRequest =
  | ({ kind: 'transaction' } & SignTransactionRequest)
  | { kind: 'message'; account: number; message: Uint8Array }
  | { kind: 'commands'; commands: Uint8Array[] };

interface GalleryCase {
  /** The name without control characters; not yet escaped for HTML. */
  name: string;
  request: GalleryRequest;
}

interface GalleryFile {
  /** A BIP-39 mnemonic; the test mnemonic is used if the file has none. */
  mnemonic: string | undefined;
  cases: GalleryCase[];
}

type Fields = Record<string, unknown>;

/** Reads a file like vectors/transactions.json, messages.json or contacts.json; throws UsageError naming file and case. */
export async function readCases(path: string, signal: AbortSignal): Promise<GalleryFile> {
  const document = Object(
    parseFile(path, (await readBytes('the list of cases', path, MAX_FILE_BYTES, signal)).toString()),
  ) as Fields;
  const { cases, mnemonic } = document;
  if (!Array.isArray(cases) || cases.length > MAX_CASES) {
    throw new UsageError(`${path} must have a list "cases" with at most ${MAX_CASES} cases`);
  }
  return {
    mnemonic: typeof mnemonic === 'string' ? mnemonic : undefined,
    cases: cases.map((fields: unknown, index) => {
      try {
        return parseCase(Object(fields) as Fields, index + 1);
      } catch (error) {
        throw new UsageError(`${path}, case ${index + 1}: ${(error as Error).message}`);
      }
    }),
  };
}

function parseFile(path: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new UsageError(`${path} is not JSON`);
  }
}

function parseCase(fields: Fields, number: number): GalleryCase {
  const { name, account, message, steps } = fields;
  const given = typeof name === 'string' ? cleanText(name) : '';
  if (Array.isArray(steps)) {
    const commands = steps.map(step => hexField(Object(step) as Fields, 'command'));
    return { name: given || `commands ${number}`, request: { kind: 'commands', commands } };
  }
  const index = Number(account);
  if (typeof account !== 'bigint' || index < 0 || index > MAX_ACCOUNT_INDEX) {
    throw new RangeError(`account must be a whole number from 0 to ${MAX_ACCOUNT_INDEX}`);
  }
  const isMessage = message !== undefined;
  return {
    name: given === '' ? `${isMessage ? 'message' : 'transaction'} ${number}` : given,
    request: isMessage
      ? { kind: 'message', account: index, message: hexField(fields, 'message') }
      : parseTransactionCase(fields, index),
  };
}

function parseTransactionCase(fields: Fields, account: number): GalleryRequest {
  return {
    kind: 'transaction',
    account,
    genesisHash: hexField(fields, 'genesis'),
    transaction: hexField(fields, 'tx'),
    ...(fields.linked !== undefined && { linked: hexField(fields, 'linked') }),
    ...(fields.token !== undefined && { token: parseToken(Object(fields.token) as Fields) }),
  };
}

function parseToken({ decimals, symbol }: Fields): TokenDetails {
  if (
    (decimals !== undefined && typeof decimals !== 'bigint') ||
    (symbol !== undefined && typeof symbol !== 'string')
  ) {
    throw new TypeError('token must have decimals (a whole number), symbol (a string), or both');
  }
  return {
    ...(decimals !== undefined && { decimals: Number(decimals) }),
    ...(symbol !== undefined && { symbol }),
  };
}

function hexField(fields: Fields, name: string): Uint8Array {
  const value = fields[name];
  if (typeof value !== 'string' || value.length > MAX_CASE_DIGITS) {
    throw new TypeError(`${name} must be hex of at most ${MAX_CASE_DIGITS} digits`);
  }
  try {
    return fromHex(value);
  } catch {
    throw new TypeError(`${name} is not hex`);
  }
}

type SigningRequest = Exclude<GalleryRequest, { kind: 'commands' }>;

/** A case with the emulator's response: the screens of its review, which was approved, or its refusal. */
type CapturedCase = GalleryCase & ({ screens: Screen[] } | { refusal: string });

/**
 * Signs the case on a new emulator and captures its review; any error other than the device's refusal is
 * thrown.
 */
async function captureCase(galleryCase: GalleryCase, mnemonic = TEST_MNEMONIC): Promise<CapturedCase> {
  const emulator = await Emulator.start({ seed: mnemonic, device: null });
  try {
    const screens: Screen[] = [];
    const { request } = galleryCase;
    const refusal =
      request.kind === 'commands'
        ? await exchangeAll(emulator, request.commands, screens)
        : await signReviewed(emulator, request, screens);
    return { ...galleryCase, ...(refusal === undefined ? { screens } : { refusal }) };
  } finally {
    emulator.stop();
  }
}

async function signReviewed(
  emulator: Emulator,
  request: SigningRequest,
  screens: Screen[],
): Promise<string | undefined> {
  const signed = refusalOf(sign(new Signer(emulator.transport()), request));
  // The host refuses some messages itself, so no review appears.
  await Promise.race([walk(emulator, screens), signed]);
  return signed;
}

/** Sends commands; each review is approved. Resolves with the last reply if there was no review. */
async function exchangeAll(
  emulator: Emulator,
  commands: readonly Uint8Array[],
  screens: Screen[],
): Promise<string | undefined> {
  let reply = '';
  for (const command of commands) {
    const sent = emulator.exchange(command);
    await Promise.race([walk(emulator, screens), sent]);
    reply = toHex(await sent);
  }
  return screens.length > 0 ? undefined : `the device replies ${reply}`;
}

async function walk(emulator: Emulator, screens: Screen[]): Promise<void> {
  try {
    await emulator.waitForReview();
  } catch (error) {
    if (error instanceof NoReviewError) return;
    throw error;
  }
  screens.push(emulator.screen);
  const onScreen = (screen: Screen) => screens.push(screen);
  emulator.on('screen', onScreen);
  await emulator.review();
  emulator.off('screen', onScreen);
  await emulator.approve();
}

function sign(signer: Signer, request: SigningRequest): Promise<unknown> {
  return request.kind === 'message'
    ? signer.signMessage(request.account, request.message)
    : signer.signTransaction(request);
}

async function refusalOf(signed: Promise<unknown>): Promise<string | undefined> {
  try {
    await signed;
    return undefined;
  } catch (error) {
    if (error instanceof DeviceError) return error.message;
    throw error;
  }
}

/** Part of a request, as decoded by chain/ without the device. */
interface FieldGroup {
  title: string;
  rows: Row[];
  /** Why the bytes cannot be decoded. */
  fault?: string;
}

function describeFields(request: GalleryRequest): FieldGroup[] {
  if (request.kind === 'message') {
    const { account, message } = request;
    const rows: Row[] = [
      ['Message', formatText(message)],
      ['Size', `${message.length} bytes`],
    ];
    return [{ title: 'Message to sign', rows: [['Account index', `${account}`], ...rows] }];
  }
  if (request.kind === 'commands') {
    const rows = request.commands.map((command, at): Row => [`Command ${at + 1}`, toHex(command)]);
    return [{ title: 'Commands', rows }];
  }
  const { account, genesisHash, transaction, linked, token } = request;
  const details: Row[] = [
    ['Account index', `${account}`],
    ['Network', networkName(genesisHash)],
    ['Genesis hash', toHex(genesisHash)],
    ...(token?.decimals === undefined ? [] : [['Token decimals given', `${token.decimals}`] as const]),
    ...(token?.symbol === undefined ? [] : [['Token symbol given', token.symbol] as const]),
  ];
  return [
    { title: 'Request', rows: details },
    describeBytes('Transaction', transaction, bytes => transactionRows(decodeTransaction(bytes))),
    ...(linked === undefined
      ? []
      : [
          describeBytes('Escrowed transaction', linked, bytes =>
            transactionRows(decodeLinked(bytes).transaction),
          ),
        ]),
  ];
}

function describeBytes(title: string, bytes: Uint8Array, read: (bytes: Uint8Array) => Row[]): FieldGroup {
  const size: Row = ['Size', `${bytes.length} bytes`];
  try {
    return { title, rows: [...read(bytes), size] };
  } catch (error) {
    if (!(error instanceof TransactionError)) throw error;
    return { title, rows: [size], fault: error.message };
  }
}

/** The cases of one file. */
interface Section {
  title: string;
  cases: readonly CapturedCase[];
}

interface GalleryCounts {
  cases: number;
  reviews: number;
  refusals: number;
  screens: number;
}

function countCases(sections: readonly Section[]): GalleryCounts {
  const all = sections.flatMap(section => section.cases);
  const reviews = all.flatMap(each => ('screens' in each ? [each.screens.length] : []));
  return {
    cases: all.length,
    reviews: reviews.length,
    refusals: all.length - reviews.length,
    screens: reviews.reduce((sum, screens) => sum + screens, 0),
  };
}

/** Renders an HTML page without scripts or external resources. The same cases always give the same text. */
function renderGallery(sections: readonly Section[]): string {
  const numbers = new Map(sections.flatMap(section => section.cases).map((each, index) => [each, index + 1]));
  const content = html`<p>Every screen of every review, drawn by the firmware, next to the request as the host library
decodes it with independent code. A user signs what these screens show: compare the two.</p>
${renderCounts(countCases(sections))}
<ol>${[...numbers].map(renderLink)}</ol>
${sections.map(section => renderSection(section, numbers))}`;
  return renderReport('Reviews of the ZBC signer', STYLE, content);
}

function renderLink([{ name }, number]: readonly [CapturedCase, number]): Markup {
  return html`<li><a href="#case-${number}">${name}</a></li>\n`;
}

function renderCounts({ cases, reviews, refusals, screens }: GalleryCounts): Markup {
  return html`<p>${cases} cases: ${reviews} reviewed and signed, ${refusals} refused; ${screens} screens.</p>`;
}

function renderSection({ title, cases }: Section, numbers: ReadonlyMap<CapturedCase, number>): Markup {
  return html`<h2>${title}</h2>
${cases.map(each => renderCase(each, numbers.get(each)!))}`;
}

function renderCase(captured: CapturedCase, number: number): Markup {
  const isSigned = 'screens' in captured;
  const verdict = isSigned ? `signed after ${captured.screens.length} screens` : 'refused';
  return html`<article id="case-${number}">
<h3>${number}. ${captured.name}: ${verdict}</h3>
${isSigned ? renderScreens(captured.screens) : renderRefusal(captured.refusal)}
${describeFields(captured.request).map(renderFields)}</article>
`;
}

function renderFields({ title, rows, fault }: FieldGroup): Markup {
  return html`<table>
<caption>${title}</caption>
${rows.map(([term, value]) => html`<tr><th scope="row">${term}</th><td>${value}</td></tr>\n`)}</table>
${fault === undefined ? '' : html`<p>Cannot be decoded: ${fault}</p>`}`;
}

function renderScreens(screens: readonly Screen[]): Markup {
  return html`<p>${screens.map(renderScreen)}</p>`;
}

/** The alternative text repeats the texts on the device's screen. */
function renderScreen({ frame, texts }: Screen): Markup {
  return html`${drawScreen(texts.map(({ text }) => text).join('\n'), frame)}
`;
}

function renderRefusal(refusal: string): Markup {
  return html`<p>${refusal} Nothing was shown, nothing was signed.</p>`;
}

const STYLE = `
article { break-inside: avoid; }
caption { text-align: left; font-weight: 600; }
th { width: 12rem; font-weight: normal; }
td { overflow-wrap: anywhere; white-space: pre-wrap; }
img { margin: .2rem; }
`;

const DEFAULT_OUTPUT = 'gallery.html';

const gallery = defineCommand({
  arguments: {
    files: {
      array: true,
      demandOption: true,
      describe: 'JSON files of test vectors, in the format of vectors/transactions.json',
    },
  },
  options: {
    output: {
      alias: 'o',
      describe: `file to write [${DEFAULT_OUTPUT}]`,
    },
  },
  examples: [['$0 gallery vectors/transactions.json -o out.html', 'then open out.html in a browser']],

  async run({ files, output = DEFAULT_OUTPUT }, terminal) {
    const sections: Section[] = [];
    for (const path of files) sections.push(await captureFile(path, terminal));
    const page = renderGallery(sections);
    await writeFile(output, page).catch((error: Error) => {
      throw new UsageError(`cannot write ${output}: ${error.message}`);
    });
    const counts = countCases(sections);
    return {
      json: { file: output, bytes: Buffer.byteLength(page), ...counts },
      text: `${output}: ${counts.reviews} reviews on ${counts.screens} screens, ${counts.refusals} refused`,
    };
  },
});

async function captureFile(path: string, terminal: Terminal): Promise<Section> {
  const { mnemonic, cases } = await readCases(path, terminal.signal);
  await terminal.wait(`Drawing the ${cases.length} cases of ${path}`);
  const captured = [];
  for (const galleryCase of cases) {
    terminal.signal.throwIfAborted();
    captured.push(await captureCase(galleryCase, mnemonic));
  }
  return { title: basename(path), cases: captured };
}

export const commands = { gallery };
