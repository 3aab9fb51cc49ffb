// The diagram of all classes. The server draws it; only what a drawing needs is taken from its text.

import { path, text } from './api.js';
import { button, drawn, el, svgName } from './dom.js';
import { address } from './model.js';
import { page } from './views.js';

const elements = new Set(['svg', 'g', 'path', 'rect', 'line', 'circle', 'polygon', 'polyline', 'text', 'tspan', 'title']);
const attributes = new Set(['viewBox', 'width', 'height', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'dx', 'dy', 'cx', 'cy', 'r', 'rx', 'ry',
  'd', 'points', 'transform', 'text-anchor', 'class', 'data-class', 'data-from', 'data-to']);

/** A copy of a drawing with the elements and attributes above. Anything else is left out. */
function takeDrawing(source) {
  if (source.namespaceURI !== svgName || !elements.has(source.localName)) return null;
  const taken = [...source.attributes].filter(({ name }) => attributes.has(name));
  const copy = drawn(source.localName, Object.fromEntries(taken.map(({ name, value }) => [name, value])));
  for (const child of source.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.data);
    const inside = child.nodeType === Node.ELEMENT_NODE ? takeDrawing(child) : null;
    if (inside) copy.append(inside);
  }
  return copy;
}

export const diagramView = () => page('Diagram', async (signal) => {
  const source = await text(path('diagram.svg'), signal);
  const drawing = takeDrawing(new DOMParser().parseFromString(source, 'image/svg+xml').documentElement);
  if (!drawing) return el('p', { class: 'mistake' }, 'The diagram could not be drawn.');
  makeClickable(drawing);
  const holder = el('div', { class: 'diagram', tabindex: '0', role: 'group', 'aria-label': 'Classes and their links' }, drawing);
  return [scaleTools(drawing), holder];
});

function makeClickable(drawing) {
  for (const box of drawing.querySelectorAll('g.box[data-class]')) {
    const open = () => { location.hash = address({ className: box.dataset.class }); };
    box.setAttribute('tabindex', '0');
    box.setAttribute('role', 'link');
    box.setAttribute('aria-label', box.dataset.class);
    box.addEventListener('click', open);
    box.addEventListener('keydown', (event) => { if (event.key === 'Enter') open(); });
    box.addEventListener('pointerenter', () => mark(drawing, box.dataset.class));
    box.addEventListener('pointerleave', () => mark(drawing, null));
  }
}

/** The links of the class under the pointer stand out. */
function mark(drawing, className) {
  for (const link of drawing.querySelectorAll('g.relation')) {
    link.classList.toggle('marked', className !== null && [link.dataset.from, link.dataset.to].includes(className));
  }
}

function scaleTools(drawing) {
  const width = drawing.width.baseVal.value;
  const height = drawing.height.baseVal.value;
  let scale = 1;
  const shown = el('span', { class: 'dim' }, '100 %');
  const set = (next) => {
    scale = Math.max(0.1, Math.min(next, 4));
    drawing.setAttribute('width', width * scale);
    drawing.setAttribute('height', height * scale);
    shown.textContent = `${Math.round(scale * 100)} %`;
  };
  const fit = () => set(Math.min(1, (drawing.parentElement.clientWidth - 8) / width));
  const smaller = button('Smaller', () => set(scale / 1.25));
  const larger = button('Larger', () => set(scale * 1.25));
  return el('div', { class: 'tools' }, smaller, larger, button('Fit', fit), shown);
}
