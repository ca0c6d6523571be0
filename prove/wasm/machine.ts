// Runs functions of the module on values of any kind: integers, intervals, polynomials, bits. A domain
// defines the values and the results of instructions, and decides branches.
import type { Instruction, WasmModule } from './module.js';

export interface Domain<Value> {
  constant(value: bigint, bits: 32 | 64): Value;
  /** Executes numeric instructions, except constants. */
  apply(op: string, operands: Value[]): Value;
  load(op: string, address: Value, offset: number): Value;
  store(op: string, address: Value, offset: number, value: Value): void;
  fill(to: Value, value: Value, length: Value): void;
  copy(to: Value, from: Value, length: Value): void;
  /** Decides whether a condition is not zero. */
  decide(condition: Value): boolean;
  select(condition: Value, whole: Value, other: Value): Value;
  /** Returns the results of a replaced call; if undefined, the function's code runs. */
  call(index: number, parameters: Value[]): Value[] | undefined;
  /**
   * Whether an `if` may stay undecided. Both branches then run, and `select` forms the result. If the `if` has no result and no `else`, its
   * instructions run between `enter` and `leave`, which must ensure that they have no effect if it is
   * skipped; locals that they set are unknown afterwards.
   */
  isOpen?(condition: Value): boolean;
  enter?(condition: Value): void;
  leave?(): void;
  unknown?(): Value;
  /** Called when a loop begins another pass. */
  again?(code: readonly Instruction[], start: number, locals: Value[]): void;
}

/** The module trapped: by `unreachable`, or out of bounds. */
export class Trap extends Error {
  override readonly name = 'Trap';
}

interface Label {
  block: Instruction;
  start: number;
  height: number;
  /** Whether the code may be skipped. */
  isOpen?: boolean;
}

/** Instructions whose only effect is a value. */
const PURE = /^((local|global)\.get$|i(32|64)\.(?!store))/;
const UNARY = /eqz$|wrap|extend|clz|ctz|popcnt/;

function unknown<Value>(domain: Domain<Value>): Value {
  if (!domain.unknown) throw new Error('the locals after an optional block are unknown');
  return domain.unknown();
}

export class Machine<Value> {
  readonly globals: Value[];
  /** Function index and position of the current instruction. */
  at: [number, number] = [0, 0];
  readonly #module: WasmModule;
  readonly #domain: Domain<Value>;

  constructor(module: WasmModule, domain: Domain<Value>) {
    this.#module = module;
    this.#domain = domain;
    this.globals = module.globals.map(value => domain.constant(value, 64));
  }

  /** Runs a function and returns its results. */
  call(index: number, parameters: Value[]): Value[] {
    const replaced = this.#domain.call(index, parameters);
    if (replaced) return replaced;
    const { code, locals, results } = this.#module.functions[index]!;
    const zeros = Array.from({ length: locals }, () => this.#domain.constant(0n, 64));
    const stack = this.#run(index, code, [...parameters, ...zeros]);
    return results === 0 ? [] : stack.slice(-results);
  }

  #run(index: number, code: Instruction[], locals: Value[]): Value[] {
    const domain = this.#domain;
    const stack: Value[] = [];
    const labels: Label[] = [];
    const pop = () => stack.pop()!;
    let position = 0;
    /** Number of enclosing blocks that may be skipped. */
    let open = 0;
    const branch = (depth: number): void => {
      if (open > 0 && labels.slice(-1 - depth).some(({ isOpen }) => isOpen))
        throw new Error('a branch leaves an optional block');
      if (depth >= labels.length) {
        position = code.length;
        return;
      }
      const { block, start, height } = labels.at(-1 - depth)!;
      labels.length -= depth;
      if (block.op === 'loop') {
        stack.length = height;
        position = start + 1;
        domain.again?.(code, start, locals);
        return;
      }
      labels.pop();
      if (block.arity === 1) stack[height] = stack.at(-1)!;
      stack.length = height + block.arity;
      position = block.end + 1;
    };
    while (position < code.length) {
      const each = code[position++]!;
      this.at = [index, position - 1];
      switch (each.op) {
        case 'local.get':
          stack.push(locals[each.index]!);
          break;
        case 'local.set':
          locals[each.index] = pop();
          break;
        case 'local.tee':
          locals[each.index] = stack.at(-1)!;
          break;
        case 'global.get':
          stack.push(this.globals[each.index]!);
          break;
        case 'global.set':
          this.globals[each.index] = pop();
          break;
        case 'i32.const':
          stack.push(domain.constant(each.value, 32));
          break;
        case 'i64.const':
          stack.push(domain.constant(each.value, 64));
          break;
        case 'nop':
          break;
        case 'drop':
          pop();
          break;
        case 'block':
        case 'loop':
          labels.push({ block: each, start: position - 1, height: stack.length });
          break;
        case 'if': {
          const condition = pop();
          if (domain.isOpen?.(condition)) {
            const { otherwise, end } = each;
            if (each.arity === 1) {
              const parts = [code.slice(position, otherwise), code.slice(otherwise + 1, end)] as const;
              if (parts.some(part => part.some(({ op }) => !PURE.test(op))))
                throw new Error('the condition of a select is unknown');
              const [whole, other] = parts.map(part => this.#run(index, part, locals).at(-1)!) as [
                Value,
                Value,
              ];
              stack.push(domain.select(condition, whole, other));
              position = end + 1;
              break;
            }
            if (otherwise >= 0) throw new Error('both outcomes of a branch are possible');
            domain.enter?.(condition);
            open++;
            labels.push({ block: each, start: position - 1, height: stack.length, isOpen: true });
            break;
          }
          const taken = domain.decide(condition);
          if (!taken && each.otherwise < 0) {
            position = each.end + 1;
            break;
          }
          labels.push({ block: each, start: position - 1, height: stack.length });
          if (!taken) position = each.otherwise + 1;
          break;
        }
        case 'else':
          labels.pop();
          position = each.end + 1;
          break;
        case 'end': {
          const label = labels.pop();
          if (!label?.isOpen) break;
          open--;
          domain.leave?.();
          for (const { op, index: set } of code.slice(label.start, position))
            if (op === 'local.set' || op === 'local.tee') locals[set] = unknown(domain);
          break;
        }
        case 'br':
          branch(each.index);
          break;
        case 'br_if':
          if (domain.decide(pop())) branch(each.index);
          break;
        case 'br_table': {
          const of = pop();
          const isAt = (i: number) => domain.apply('i32.eq', [of, domain.constant(BigInt(i), 32)]);
          branch(each.labels.find((_, i, { length }) => i === length - 1 || domain.decide(isAt(i)))!);
          break;
        }
        case 'return':
          if (open > 0) throw new Error('a return leaves an if block whose condition is not known');
          position = code.length;
          break;
        case 'call': {
          const { parameters } = this.#module.functions[each.index]!;
          const given = parameters === 0 ? [] : stack.splice(-parameters);
          stack.push(...this.call(each.index, given));
          break;
        }
        case 'unreachable':
          throw new Trap('unreachable');
        case 'select': {
          const [whole, other, condition] = stack.splice(-3) as [Value, Value, Value];
          stack.push(domain.select(condition, whole, other));
          break;
        }
        case 'memory.fill':
        case 'memory.copy': {
          const [to, from, length] = stack.splice(-3) as [Value, Value, Value];
          if (each.op === 'memory.fill') domain.fill(to, from, length);
          else domain.copy(to, from, length);
          break;
        }
        default:
          if (each.op.includes('.load')) stack.push(domain.load(each.op, pop(), each.offset));
          else if (each.op.includes('.store')) {
            const value = pop();
            domain.store(each.op, pop(), each.offset, value);
          } else if (/^i(32|64)\./.test(each.op)) {
            stack.push(domain.apply(each.op, stack.splice(UNARY.test(each.op) ? -1 : -2)));
          } else throw new Error(`${each.op} is not supported`);
      }
    }
    return stack;
  }
}
