// A replacement for the firmware, only for tests. It has a menu and a review of one page. The instructions:
// - 01 answers 9000.
// - 02 opens a review. BOTH approves it, and LEFT causes a trap.
// - 03 causes a trap immediately.
// - 04 returns a length that is too large for any reply.
// - 05 causes a trap now, and at every later boot.
import { display, settings_load, settings_store, text } from '../assembly/hal';

const io = memory.data(300);
const frame = memory.data(1024);
const stored = memory.data(16);
const MENU = memory.data<u8>([77, 69, 78, 85]);
const ITEM = memory.data<u8>([73, 84, 69, 77]);
let reviewing = false;

function show(title: usize): void {
  store<u8>(frame, load<u8>(title));
  text(title, 4, 1, 2, 3, 4);
  display(frame);
}

function answer(): i32 {
  store<u16>(io, 0x0090);
  return 2;
}

export function boot(): void {
  settings_load(stored, 16);
  if (load<u8>(stored) === 5) unreachable();
  show(MENU);
}

export function buffer(): usize {
  return io;
}

export function command(_length: i32): i32 {
  const ins = load<u8>(io, 1);
  if (ins === 3) {
    text(ITEM, 4, 1, 2, 3, 4);
    unreachable();
  }
  if (ins === 4) return 0x7fffffff;
  if (ins === 5) {
    store<u8>(stored, 5);
    settings_store(stored, 16);
    unreachable();
  }
  if (reviewing) {
    store<u16>(io, 0x0169);
    return 2;
  }
  if (ins === 1) return answer();
  reviewing = true;
  show(ITEM);
  return 0;
}

export function button(n: i32): i32 {
  if (!reviewing) return 0;
  if (n === 1) unreachable();
  if (n !== 3) return 0;
  reviewing = false;
  show(MENU);
  return answer();
}

export function cancel(): void {
  reviewing = false;
  show(MENU);
}
