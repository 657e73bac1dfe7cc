import 'uplot/dist/uPlot.min.css';
import './theme/colors.css';
import './theme/page.css';
import './theme/scene.css';
import './theme/charts.css';
import './theme/sensitivity.css';
import './theme/narrow.css';
import { apiOf, type Api } from './api';
import { emptyPage } from './controls/empty';
import { Page } from './page';
import { sendPicture, sendReason } from './picture';
import { pictureWish } from './shared/picture_wish';
import { follow } from './stream/follow';
import { Recording } from './stream/recording';
import { embedded, served, type Source } from './stream/source';

declare global {
  interface Window {
    kinegraph: Api;
  }
}

function promise(): { done: () => void; promise: Promise<void> } {
  let done = () => {};
  const promise = new Promise<void>((resolve) => (done = resolve));
  return { done, promise };
}

/** Picture or film that the program which opened this page asks for. */
const wish = pictureWish(window.location.hash);
const host = document.getElementById('page')!;
const recording = new Recording();
const page = new Page(recording, host);
const [ready, finished] = [promise(), promise()];
window.kinegraph = apiOf(page, ready.promise, finished.promise);

/** A run that ended this soon after the page was opened was not watched [ms]. */
const QUICK = 4000;

/** True if the program that serves the page still responds. */
async function answers(): Promise<boolean> {
  try {
    return (await fetch(window.location.href, { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** Shows a run. A recording is built at once it is read: nobody wants to see it grow. */
async function show(source: Source): Promise<void> {
  page.isServed = source.served;
  const reading = follow(recording, source.bytes);
  const ended = new Promise<void>((done) => recording.end.watch(() => done()));
  if (source.finished) {
    await reading;
    if (recording.begin.value) page.build();
  } else {
    // After the line that began it: what fails in the page is no fault of the line.
    recording.begin.watch(() => queueMicrotask(() => page.build()));
    let first = true;
    recording.count.watch(() => {
      if (!first) return;
      first = false;
      page.clock.follow();
      requestAnimationFrame(() => ready.done());
    });
    await Promise.race([reading, ended]);
    // A run that begins anew, or is done again, ends the stream, and the program serves another.
    void reading.then(async () => {
      const begin = recording.begin.value;
      const more = (recording.brokeOff && begin?.controls) || (begin?.numbers ?? []).length > 0;
      if (more && (await answers())) window.location.reload();
    });
    // A run that took no time to watch is shown from its start.
    if (page.clock.followedToEnd && performance.now() < QUICK) page.clock.play();
  }
  const reason = recording.refusal || recording.notes.list.value[0]?.text || 'The stream is empty.';
  if (!recording.begin.value) throw new Error(reason);
  requestAnimationFrame(() => {
    page.draw();
    ready.done();
    finished.done();
  });
}

async function start(): Promise<void> {
  const source = embedded();
  if (source) return show(source);
  if (window.location.protocol === 'file:')
    throw new Error('This page holds no recording, and no program serves it one.');
  if (!wish) return show(await served());
  // A picture is of the whole run: it is read first, like a recording.
  await show({ ...(await served()), finished: true, served: false });
  await sendPicture(page, wish);
}

/** Says why there is no run, and offers to open another stream. */
function showFault(fault: Error): void {
  const open = (bytes: ReadableStream<Uint8Array>) => show({ finished: true, served: false, bytes }).catch(showFault);
  host.replaceChildren(emptyPage(fault.message, open));
}

start().catch((fault: Error) => {
  if (wish) void sendReason(fault.message);
  showFault(fault);
});
