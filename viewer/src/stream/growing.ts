/** Numbers that become more: a typed array that doubles where it is full. */

type Typed = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

export class Growing<T extends Typed> {
  /** At least `length` numbers. */
  data: T;
  length = 0;

  constructor(
    private readonly make: new (length: number) => T,
    capacity = 64,
  ) {
    this.data = new make(capacity);
  }

  /** Makes room for `more` numbers. */
  private reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.data.length) return;
    const larger = new this.make(Math.max(needed, this.data.length * 2));
    larger.set(this.data.subarray(0, this.length));
    this.data = larger;
  }

  append(numbers: ArrayLike<number>): void {
    this.reserve(numbers.length);
    this.data.set(numbers, this.length);
    this.length += numbers.length;
  }

  push(x: number): void {
    this.reserve(1);
    this.data[this.length++] = x;
  }
}
