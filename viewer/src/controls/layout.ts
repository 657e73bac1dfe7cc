/** Where things are: scene or diagram on one side, plots and steps on the other, time below. */

import { h } from '../shared/dom';
import type { Theme } from '../theme/theme';
import { icon } from './icons';

export interface Panel {
  name: string;
  title: string;
  picture: string;
  body: HTMLElement;
  /** True if it is above the plots, not over the scene. */
  beside?: boolean;
}

const NARROW = '(max-width: 860px)';

export class Layout {
  readonly scene = h('div', { class: 'scene-host', role: 'region', 'aria-label': 'scene' });
  readonly diagram = h('div', { class: 'diagram-host', hidden: true });
  readonly plots = h('div', { class: 'plots-host' });
  readonly steps = h('div', { class: 'steps-host' });
  readonly drawer = h('aside', { class: 'drawer', hidden: true, 'aria-label': 'channels' });
  readonly status = h('span', { class: 'status', role: 'status' });
  readonly title = h('h1', {}, 'Kinegraph');
  readonly facts = h('span', { class: 'facts' });
  readonly toast = h('div', { class: 'toast', role: 'status', hidden: true });
  readonly overlay = h('div', { class: 'overlay-buttons' });
  private readonly left: HTMLElement;
  private readonly right: HTMLElement;
  private readonly tabs: HTMLElement;
  private readonly views: Record<'scene' | 'diagram', HTMLButtonElement>;
  private readonly main: HTMLElement;
  private panels: { panel: Panel; button: HTMLButtonElement; element: HTMLElement }[] = [];
  private toastTimer = 0;
  onView: (view: 'scene' | 'diagram') => void = () => {};
  onHelp: () => void = () => {};
  /** Called when the steps are shown again. */
  onSteps: () => void = () => {};
  readonly channelsButton: HTMLButtonElement;
  private readonly stepsButton: HTMLButtonElement;
  private readonly tab: (name: string, label: string) => HTMLButtonElement;

  constructor(theme: Theme) {
    const view = (name: 'scene' | 'diagram', label: string) =>
      h(
        'button',
        { type: 'button', class: 'small', 'aria-pressed': String(name === 'scene'), onclick: () => this.show(name) },
        label,
      );
    this.views = { scene: view('scene', 'Scene'), diagram: view('diagram', 'Diagram') };
    this.left = h(
      'section',
      { class: 'left', 'aria-label': 'scene and diagram' },
      this.scene,
      this.diagram,
      h(
        'div',
        { class: 'view-tabs segmented', role: 'group', 'aria-label': 'view' },
        this.views.scene,
        this.views.diagram,
      ),
      this.overlay,
    );
    this.channelsButton = h(
      'button',
      {
        type: 'button',
        class: 'small',
        'aria-expanded': 'false',
        title: 'Choose channels to plot ( / )',
        onclick: () => this.toggleDrawer(),
      },
      'Channels',
    );
    const tab = (name: string, label: string) =>
      h(
        'button',
        {
          type: 'button',
          class: 'small',
          'data-tab': name,
          'aria-pressed': String(name === 'plots'),
          onclick: () => this.showTab(name),
        },
        label,
      );
    this.tabs = h(
      'div',
      { class: 'tabs segmented', role: 'group', 'aria-label': 'below the scene' },
      tab('plots', 'Plots'),
      tab('steps', 'Steps'),
    );
    this.tab = tab;
    this.stepsButton = h(
      'button',
      {
        type: 'button',
        class: 'small steps-button',
        title: 'Show or hide the steps',
        'aria-pressed': 'true',
        onclick: () => this.showSteps(this.right.classList.contains('no-steps')),
      },
      'Steps',
    );
    const reset = h(
      'button',
      { type: 'button', class: 'small reset-zoom', title: 'Show the whole run (0)' },
      'Whole run',
    );
    this.resetZoom = reset;
    this.right = h(
      'section',
      { class: 'right', 'aria-label': 'plots and steps' },
      h(
        'div',
        { class: 'right-head' },
        h('h2', {}, 'Plots'),
        this.tabs,
        h('span', { class: 'spacer' }),
        reset,
        this.stepsButton,
        this.channelsButton,
      ),
      this.plots,
      this.steps,
      this.drawer,
    );
    const splitter = h('div', {
      class: 'splitter',
      role: 'separator',
      tabindex: 0,
      'aria-orientation': 'vertical',
      'aria-label': 'width of the scene',
    });
    this.main = h('main', {}, this.left, splitter, this.right);
    this.makeSplitter(splitter);
    const dark = h('button', {
      type: 'button',
      class: 'plain',
      title: 'Dark or light (D)',
      onclick: () => theme.toggle(),
    });
    theme.palette.follow((palette) => {
      dark.replaceChildren(icon(palette.dark ? 'sun' : 'moon'));
      dark.setAttribute('aria-label', palette.dark ? 'light colours' : 'dark colours');
    });
    const help = h(
      'button',
      { type: 'button', class: 'plain', title: 'Keys (?)', 'aria-label': 'keys', onclick: () => this.onHelp() },
      '?',
    );
    this.header = h(
      'header',
      {},
      logo(),
      this.title,
      this.facts,
      h('span', { class: 'spacer' }),
      this.status,
      dark,
      help,
    );
    document.body.append(this.toast);
  }

  readonly header: HTMLElement;
  readonly resetZoom: HTMLButtonElement;

  mount(host: HTMLElement, banner: HTMLElement, transport: HTMLElement): void {
    host.replaceChildren(this.header, banner, this.main, transport);
    window.matchMedia(NARROW).addEventListener('change', () => this.showTab('plots'));
    this.showTab('plots');
  }

  /** The scene, or the diagram in its place. */
  show(view: 'scene' | 'diagram'): void {
    this.scene.hidden = view !== 'scene';
    this.diagram.hidden = view !== 'diagram';
    this.overlay.classList.toggle('of-diagram', view !== 'scene');
    for (const name of ['scene', 'diagram'] as const)
      this.views[name].setAttribute('aria-pressed', String(name === view));
    this.onView(view);
  }

  get view(): 'scene' | 'diagram' {
    return this.scene.hidden ? 'diagram' : 'scene';
  }

  /** A diagram without plants has no scene, a recording without a diagram no blocks. */
  offer(scene: boolean, diagram: boolean): void {
    this.views.scene.hidden = !scene;
    this.views.diagram.hidden = !diagram;
    this.views.scene.parentElement!.hidden = !(scene && diagram);
    if (!scene && diagram) this.show('diagram');
    this.main.classList.toggle('no-left', !scene && !diagram);
  }

  private showTab(name: string): void {
    this.right.dataset.tab = name;
    for (const button of this.tabs.querySelectorAll('button'))
      button.setAttribute('aria-pressed', String(button.dataset.tab === name));
  }

  showSteps(on: boolean): void {
    this.right.classList.toggle('no-steps', !on);
    this.stepsButton.setAttribute('aria-pressed', String(on));
    if (on) this.onSteps();
  }

  toggleDrawer(open = this.drawer.hidden): void {
    this.drawer.hidden = !open;
    this.channelsButton.setAttribute('aria-expanded', String(open));
  }

  /** Panels over the scene, one open at a time. */
  addPanel(panel: Panel): void {
    const element = h(
      'div',
      {
        class: panel.beside ? 'panel-beside' : 'panel',
        hidden: true,
        role: 'region',
        'aria-label': panel.title,
      },
      h('h2', {}, panel.title),
      panel.body,
    );
    const button = h(
      'button',
      {
        type: 'button',
        class: panel.beside ? 'plain of-run' : 'plain',
        title: panel.title,
        'aria-label': panel.title,
        'aria-expanded': 'false',
        onclick: () => this.openPanel(panel.name),
      },
      icon(panel.picture),
    );
    this.panels.push({ panel, button, element });
    this.overlay.append(button);
    if (panel.beside) this.right.prepend(element);
    else this.left.append(element);
  }

  /** The bar of a live run over the scene, and what can be changed of it above the plots. */
  addHands(bar: HTMLElement, hands: HTMLElement): void {
    this.left.append(bar);
    this.right.prepend(
      h('details', { class: 'hands-host', open: true }, h('summary', {}, h('h2', {}, 'Hands')), hands),
    );
    // On a narrow page they have a tab of their own; else the plots get the room of the steps.
    this.tabs.append(this.tab('hands', 'Hands'));
    this.showSteps(false);
  }

  /** The list of requirements, between hands and plots. */
  addRequirements(list: HTMLElement): void {
    this.right.querySelector('.right-head')!.before(list);
  }

  addButton(picture: string, title: string, run: () => void): void {
    this.overlay.append(
      h('button', { type: 'button', class: 'plain', title, 'aria-label': title, onclick: run }, icon(picture)),
    );
  }

  /** Opens a panel, or closes it if it is open. */
  openPanel(name: string | null): void {
    const wanted = this.panels.find(({ panel }) => panel.name === name)?.panel;
    for (const { panel, button, element } of this.panels) {
      // A panel beside the scene covers nothing, so it stays open.
      if (panel.beside && panel !== wanted && name !== null) continue;
      if (wanted?.beside && panel !== wanted) continue;
      element.hidden = panel.name !== name || !element.hidden;
      button.setAttribute('aria-expanded', String(!element.hidden));
      if (!element.hidden) panel.body.dispatchEvent(new Event('shown'));
    }
  }

  /** Closes what covers other parts of the page; returns whether anything was closed. */
  closeAll(): boolean {
    const any = !this.drawer.hidden || this.panels.some(({ element }) => !element.hidden);
    this.openPanel(null);
    this.toggleDrawer(false);
    return any;
  }

  /** Says something for a while. */
  say(text: string): void {
    this.toast.textContent = text;
    this.toast.hidden = false;
    clearTimeout(this.toastTimer);
    this.toastTimer = window.setTimeout(() => (this.toast.hidden = true), 6000);
  }

  private makeSplitter(splitter: HTMLElement): void {
    const set = (part: number) => this.main.style.setProperty('--left', `${Math.min(Math.max(part, 0.2), 0.8) * 100}%`);
    splitter.addEventListener('pointerdown', (event) => {
      splitter.setPointerCapture(event.pointerId);
      const move = (now: PointerEvent) =>
        set((now.clientX - this.main.getBoundingClientRect().left) / this.main.clientWidth);
      splitter.addEventListener('pointermove', move);
      splitter.addEventListener('lostpointercapture', () => splitter.removeEventListener('pointermove', move), {
        once: true,
      });
    });
    splitter.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -0.03, ArrowRight: 0.03 }[event.key];
      if (!by) return;
      event.stopPropagation();
      set(this.left.clientWidth / this.main.clientWidth + by);
    });
  }
}

/** Two blocks and a wire that is a motion. */
function logo(): SVGSVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  element.setAttribute('viewBox', '0 0 32 32');
  element.setAttribute('class', 'logo');
  element.setAttribute('aria-hidden', 'true');
  element.innerHTML =
    '<rect x="2.5" y="4.5" width="9" height="9" rx="2.5"/><rect x="20.5" y="18.5" width="9" height="9" rx="2.5"/><path d="M11.5 9h4c7 0 9.5 3 9.5 9.5"/><circle cx="9" cy="24" r="3.5"/>';
  return element;
}
