// An object on a page of its own.

import { el } from './dom.js';
import { address } from './model.js';
import { ObjectView } from './object.js';

export function objectPage(className, id) {
  const stop = new AbortController();
  const view = new ObjectView(className, id, (target, other) => { location.hash = address({ className: target, id: other }); });
  const refresh = () => view.read(stop.signal).catch((error) => { if (error.name !== 'AbortError') view.showGone(error); });
  refresh();
  return { element: el('section', { class: 'page object-page', tabindex: '-1' }, view.element), stop: () => stop.abort(), refresh };
}
