/** A value that notifies its watchers when it changes. */
export class Signal<T> {
  private readonly watchers = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set(value: T): void {
    if (Object.is(value, this.current)) return;
    this.current = value;
    this.notify();
  }

  /** Calls the watchers although the value is the same object. */
  notify(): void {
    for (const watcher of [...this.watchers]) watcher(this.current);
  }

  /** Calls `watcher` at every change; returns a function that ends this. */
  watch(watcher: (value: T) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Calls `watcher` now and at every change. */
  follow(watcher: (value: T) => void): () => void {
    watcher(this.current);
    return this.watch(watcher);
  }
}
