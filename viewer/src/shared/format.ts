/** Numbers as people read them. */

/** Significant digits without tails of zeros; powers of ten where digits alone would be long. */
export function number(x: number, digits = 4): string {
  if (Number.isNaN(x)) return 'no value';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  if (x === 0) return '0';
  const size = Math.abs(x);
  let text: string;
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = x.toExponential(digits - 1).split('e');
    const trimmed = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
    text = `${trimmed}e${Number(exponent)}`;
  } else {
    const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
    text = x.toFixed(Math.min(decimals, 12));
    if (text.includes('.')) text = text.replace(/\.?0+$/, '');
  }
  return text.replace('-', '−');
}

/** A time, with as many decimals as the samples need. */
export function seconds(t: number, every = 0.01): string {
  if (!Number.isFinite(t)) return '–';
  const decimals = Math.min(6, Math.max(2, Math.ceil(-Math.log10(Math.max(every, 1e-6)))));
  return t.toFixed(decimals).replace('-', '−');
}

/** A length of time with the unit that suits it. */
export function duration(h: number): string {
  const size = Math.abs(h);
  if (size >= 1 || size === 0) return `${number(h, 3)} s`;
  if (size >= 1e-3) return `${number(h * 1e3, 3)} ms`;
  if (size >= 1e-6) return `${number(h * 1e6, 3)} µs`;
  return `${number(h * 1e9, 3)} ns`;
}
