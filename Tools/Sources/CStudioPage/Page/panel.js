// The side at the right: an object, or what is known of a column.

import { button, el, find, ghosts } from './dom.js';
import { address, tell } from './model.js';
import { ObjectView } from './object.js';

class Panel {
  constructor() {
    this.past = [];
    this.view = null;
    this.isOfGrid = false;
  }

  get isOpen() {
    return !find('panel').hidden;
  }

  /** Shows an object. Those that links led from are kept for the way back. */
  async show(className, id, { isOfGrid = false, isBack = false } = {}) {
    const { view } = this;
    if (view?.className === className && view.id === id) return;
    if (isOfGrid) this.past = [];
    else if (view && !isBack) this.past.push([view.className, view.id]);
    this.isOfGrid = isOfGrid;
    this.view = new ObjectView(className, id, (target, other) => this.show(target, other));
    const next = this.view;
    const signal = this.#begin();
    const wait = setTimeout(() => this.#put(this.#tools(), ghosts()), 200);
    await this.#read(next, signal);
    clearTimeout(wait);
    if (this.view === next) this.#put(this.#tools(), next.element);
  }

  async #read(view, signal) {
    try {
      await view.read(signal);
    } catch (error) {
      if (error.name !== 'AbortError') view.showGone(error);
    }
  }

  #tools() {
    const { className, id } = this.view;
    return [
      this.past.length ? button('Back', () => this.back(), { image: 'back' }) : null,
      el('span', { class: 'spacer' }),
      button('On its own page', () => { location.hash = address({ className, id }); }, { image: 'expand' }),
    ];
  }

  #begin() {
    this.reading?.abort();
    this.reading = new AbortController();
    return this.reading.signal;
  }

  #put(tools, content) {
    const side = find('panel');
    const hadFocus = side.contains(document.activeElement);
    side.hidden = false;
    document.body.classList.add('has-panel');
    side.replaceChildren(el('div', { class: 'panel-tools' }, tools, button('Close (Escape)', () => this.close(), { image: 'close' })), content);
    side.scrollTop = 0;
    if (hadFocus) side.querySelector('button')?.focus();
  }

  back() {
    const last = this.past.pop();
    if (last) this.show(...last, { isBack: true });
  }

  /** Shows anything else: `draw(host, signal)` fills it. */
  async take(title, draw) {
    const signal = this.#begin();
    this.view = null;
    this.past = [];
    const host = el('div', { class: 'object' });
    this.#put([el('strong', {}, title), el('span', { class: 'spacer' })], host);
    await draw(host, signal);
  }

  async refresh() {
    if (this.isOpen && this.view?.text) await this.#read(this.view, this.#begin());
  }

  close() {
    if (!this.isOpen) return;
    this.reading?.abort();
    this.view = null;
    this.past = [];
    find('panel').hidden = true;
    document.body.classList.remove('has-panel');
    tell('closed');
  }
}

export const panel = new Panel();

