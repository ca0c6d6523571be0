import type { Term } from '../../../prove/symbolic/terms.js';
import { compute } from '../../../prove/wasm/compute.js';

/** The value of a term if its symbols have these values. */
export function evaluate(term: Term, symbols: Map<Term, bigint>): bigint {
  const parts = term.parts.map(part => evaluate(part, symbols));
  const [a = 0n, b = 0n, c = 0n] = parts;
  const width = term.parts[0]?.bits === 64 ? 'i64' : 'i32';
  switch (term.op) {
    case 'symbol':
      return symbols.get(term)!;
    case 'constant':
      return term.constant;
    case 'sum':
      return BigInt.asUintN(
        term.bits,
        parts.reduce((sum, part, i) => sum + part * term.factors[i]!, term.constant),
      );
    case 'slice':
      return BigInt.asUintN(term.bits, a >> term.constant);
    case 'extend':
      return a;
    case 'joined':
      return parts.reduceRight((sum, part, i) => (sum << BigInt(term.parts[i]!.bits)) | part, 0n);
    case 'not':
      return a === 0n ? 1n : 0n;
    case 'both':
      return a !== 0n && b !== 0n ? 1n : 0n;
    case 'select':
      return a !== 0n ? b : c;
    case 'ult':
      return compute(`${width}.lt_u`, parts);
    case 'slt':
      return compute(`${width}.lt_s`, parts);
    default:
      return compute(`${width}.${term.op}`, parts);
  }
}
