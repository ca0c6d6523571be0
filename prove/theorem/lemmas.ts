// Claims that no proof covers, tested on the shipped module: the bytes of text, the form of binary values,
// and an account of each kind.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ACCOUNT_KINDS, encodeAddress, KIND_NONE, KIND_ZBC } from '@zbc-signer/chain';
import { MAX_INSTRUCTION, MAX_LINKED, MAX_MESSAGE } from '@zbc-signer/protocol/limits';
import { u32 } from '../../testkit/crypto/little-endian.js';
import { detailsCases } from '../../testkit/repository/vectors.js';
import { FIRST_ITEM, ITEM_SIZE, readLayout } from '../amounts/layout.js';
import { UnprovenClaim } from '../control.js';
import { joinLayout, layoutByKinds } from '../differential/case/layout.js';
import { put } from '../differential/case/layout-edits.js';
import { apdusOf, type Upload, uploadOfVector } from '../differential/case/upload.js';
import { ITEM } from '../pages/layout.js';
import { readItems } from '../read-back/items.js';
import { Reviewer } from '../read-back/reviewer.js';
import { openFunction } from '../wasm/exports.js';
import { decodeModule, functionIndex } from '../wasm/module.js';
import { binaryForm, isText } from './inputs.js';

const BYTES = Array.from({ length: 256 }, (_, byte) => byte);
const EDGES = [0, 9, 10, 11, 31, 32, 126, 127, 128, 255];
/**
 * Number of places at which each byte is tried; at other places, only the bytes at the limits of text are.
 */
const WHOLE = 64;
/** Address of the bytes to describe. */
const PLACE = 60_000;
const TITLE = 50_000;
const PAYLOAD = 5;

/**
 * Tries each byte at each place of a text, as the last byte and before others: only a text is shown
 * unchanged.
 */
function proveTextBytes(wasm: Uint8Array): number {
  const module = decodeModule(wasm);
  const { items } = readLayout(module);
  const { code } = module.functions[functionIndex(module, 'describeText')]!;
  const details = Number(code[code.findLastIndex(({ op }) => op === 'i32.load8_u') - 1]!.value);
  const { memory, run } = openFunction(wasm, 'describeText');
  const view = new DataView(memory.buffer);
  const bytes = new Uint8Array(memory.buffer, PLACE, MAX_LINKED);
  const text = BYTES.filter(byte => isText(Buffer.of(byte)));
  bytes.forEach((_, at) => {
    bytes[at] = text[at % text.length]!;
  });
  let count = 0;
  for (let at = 0; at < MAX_LINKED; at++) {
    const before = bytes[at]!;
    for (const byte of at < WHOLE ? BYTES : EDGES) {
      bytes[at] = byte;
      for (const length of at % WHOLE === 0 ? [at + 1, MAX_LINKED] : [at + 1]) {
        bytesOfItems(memory, items).fill(0);
        view.setUint8(details, count % 2);
        run(TITLE, TITLE, PLACE, length);
        count++;
        const item = items + FIRST_ITEM;
        const [value, size] = [ITEM.value, ITEM.length].map(field => view.getUint32(item + field, true));
        const isReferred = value === PLACE && size === length && view.getUint8(item + ITEM.inverse) === 0;
        const isWritten = value !== PLACE && view.getUint8(item + ITEM.inverse) === 1;
        if (!(text.includes(byte) ? isReferred : isWritten))
          throw new UnprovenClaim(
            `the value ${byte} of byte ${at}, in a text of length ${length}, is wrongly treated as text or as binary`,
          );
      }
    }
    bytes[at] = before;
  }
  return count;
}

const bytesOfItems = (memory: WebAssembly.Memory, items: number) =>
  new Uint8Array(memory.buffer, items, FIRST_ITEM + ITEM_SIZE);

/** Checks the binary form of a value of each length whose last byte is not text. */
function proveBinaryForms(reviewer: Reviewer, upload: Upload): number {
  const layout = layoutByKinds(upload.transaction)!;
  let count = 0;
  for (const [name, most] of [
    ['message', MAX_MESSAGE],
    ['instruction', MAX_INSTRUCTION],
  ] as const)
    for (let length = 1; length <= most; length++) {
      const bytes = Buffer.alloc(length, 'text').fill(0, length - 1);
      const transaction = joinLayout(put(put(layout, name, bytes), `${name} length`, u32(length)));
      const items = readItems(reviewer.review(apdusOf({ ...upload, transaction }))!);
      const title = name === 'message' ? 'Message' : 'Escrow instruction';
      const at = items.findIndex(each => each.title === title);
      const [form, hash] = [items[at], items[at + 1]];
      const digest = createHash('sha3-256').update(bytes).digest('hex');
      if (form?.value !== binaryForm(bytes) || !form.inverse || hash?.value !== digest)
        throw new UnprovenClaim(`${length} binary bytes are shown as ${form?.value}, ${hash?.value}`);
      count++;
    }
  return count;
}

/** Checks an account of each kind as the recipient, and of each kind that may approve. */
function proveKinds(reviewer: Reviewer, upload: Upload): number {
  const layout = layoutByKinds(upload.transaction)!;
  let count = 0;
  for (const [kind, { name, payloadLength }] of ACCOUNT_KINDS.entries())
    for (const [whose, title] of [
      ['recipient', 'Recipient'],
      ['approver', 'Escrow approver'],
    ] as const) {
      if (kind === KIND_NONE || (whose === 'approver' && payloadLength !== 32)) continue;
      const payload = Buffer.from(Array.from({ length: payloadLength }, (_, i) => PAYLOAD * (i + kind)));
      const changed = put(put(layout, `${whose} kind`, u32(kind)), `${whose} payload`, payload);
      const pages = reviewer.review(apdusOf({ ...upload, transaction: joinLayout(changed) }))!;
      const found = readItems(pages).find(each => each.title === title)?.value;
      const wanted = kind === KIND_ZBC ? encodeAddress(payload) : `${name} ${payload.toString('hex')}`;
      if (found !== wanted) throw new UnprovenClaim(`an account of kind ${kind} is shown as ${found}`);
      count++;
    }
  return count;
}

export function proveLemmas(path: string): string {
  const reviewer = new Reviewer(true, path);
  const named = detailsCases.find(each => each.name === 'two binary escrow instructions')!;
  const escrowed = uploadOfVector({ ...named, linked: '' });
  const texts = proveTextBytes(readFileSync(path));
  const [forms, kinds] = [proveBinaryForms(reviewer, escrowed), proveKinds(reviewer, escrowed)];
  return `${texts} texts, ${forms} binary forms and ${kinds} accounts of all kinds are shown right`;
}
