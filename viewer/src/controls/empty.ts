/** Message of a page without a run, and a place to drop one. */

import { h } from '../shared/dom';
import { streamOf } from '../stream/source';

export function emptyPage(reason: string, open: (bytes: ReadableStream<Uint8Array>) => void): HTMLElement {
  const input = h('input', {
    type: 'file',
    'aria-label': 'open a stream',
    onchange: async () => {
      const file = input.files?.[0];
      if (file) open(streamOf(new Uint8Array(await file.arrayBuffer())));
    },
  });
  const page = h(
    'div',
    { class: 'empty' },
    h('h1', {}, 'No run to show'),
    h('p', {}, reason),
    h(
      'p',
      {},
      h('code', {}, 'kinegraph view FILE'),
      ' runs a diagram and shows it here; ',
      h('code', {}, 'kinegraph view FILE --html out.html'),
      ' writes a page that holds the run.',
    ),
    h('label', { class: 'file' }, 'Or open a saved stream: ', input),
  );
  page.addEventListener('dragover', (event) => event.preventDefault());
  page.addEventListener('drop', async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) open(streamOf(new Uint8Array(await file.arrayBuffer())));
  });
  return page;
}
