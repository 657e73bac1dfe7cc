/** The outputs for which a run began anew, kept while its page is loaded anew. */

const KEY = 'kinegraph-recorded';

export function recorded(): string[] {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as string[];
}

export function keepRecorded(output: string): void {
  sessionStorage.setItem(KEY, JSON.stringify([...new Set([...recorded(), output])]));
}
