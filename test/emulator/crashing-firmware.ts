import asc from 'assemblyscript/asc';

// A firmware with a menu and a review of one page. INS 01: 9000. 02: a review, which both presses approve and left traps on.
// 03: traps at once. 04: says that its reply is longer than any. 05: from now on even boot traps.
const SOURCE = `
@external('hal', 'display') declare function display(frame: usize): void;
@external('hal', 'text') declare function text(at: usize, length: i32, x: i32, y: i32, w: i32, h: i32): void;
@external('hal', 'settings_load') declare function settings_load(out: usize, length: i32): i32;
@external('hal', 'settings_store') declare function settings_store(from: usize, length: i32): void;

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
  if (load<u8>(stored) == 5) unreachable();
  show(MENU);
}

export function buffer(): usize { return io; }

export function command(length: i32): i32 {
  const ins = load<u8>(io, 1);
  if (ins == 3) { text(ITEM, 4, 1, 2, 3, 4); unreachable(); }
  if (ins == 4) return 0x7fffffff;
  if (ins == 5) { store<u8>(stored, 5); settings_store(stored, 16); unreachable(); }
  if (reviewing) { store<u16>(io, 0x0169); return 2; }
  if (ins == 1) return answer();
  reviewing = true;
  show(ITEM);
  return 0;
}

export function button(n: i32): i32 {
  if (!reviewing) return 0;
  if (n == 1) unreachable();
  if (n != 3) return 0;
  reviewing = false;
  show(MENU);
  return answer();
}

export function cancel(): void { reviewing = false; show(MENU); }
`;

let compiled: Promise<WebAssembly.Module> | undefined;

/** The stand-in as a module, compiled once. */
export function crashingFirmware(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<WebAssembly.Module> {
  const { error, binary, stderr } = await asc.compileString(SOURCE, { runtime: 'stub', use: ['abort='] });
  if (!binary) throw error ?? new Error(stderr.toString());
  return WebAssembly.compile(binary);
}
