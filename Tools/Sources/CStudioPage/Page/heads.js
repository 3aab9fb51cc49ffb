// The columns of a grid: which are shown, how wide, in which order; and their heads.

import { button, el, openMenu, pointOf } from './dom.js';
import { isKey, model } from './model.js';
import { keepSetting, setting } from './settings.js';
import { isNumeric, kindOf, plainName } from './values.js';

const widths = {
  int: 96, bool: 80, float: 104, double: 160, decimal: 112, string: 180, date: 208, uuid: 148, 'object id': 148,
  data: 120, link: 136, embedded: 148, collection: 104, mixed: 148,
};
const least = 48;

/** Widths, order and hidden columns of a class, which are kept. */
export class Columns {
  constructor(className, asked = []) {
    this.className = className;
    this.properties = model.classes.get(className).properties;
    this.store = `columns:${className}`;
    const kept = readKept(this.store);
    this.order = kept.order ?? [];
    this.hidden = new Set(kept.hidden ?? []);
    this.widths = new Map(kept.widths ?? []);
    this.pinned = kept.pinned ?? null;
    this.isDefault = setting(this.store) === null;
    if (asked.length) this.#obey(asked);
    this.lay();
  }

  /** The columns of an address take the place of what was kept, without being kept themselves. */
  #obey(asked) {
    this.order = asked;
    this.hidden = new Set(this.properties.map(({ name }) => name).filter((name) => !asked.includes(name)));
  }

  lay() {
    const rank = new Map(this.order.map((name, index) => [name, index]));
    const ranked = this.properties
      .map((property, index) => ({ property, index }))
      .filter(({ property }) => !this.hidden.has(property.name))
      .sort((a, b) => (a.property.name === this.pinned ? -1 : b.property.name === this.pinned ? 1
        : (rank.get(a.property.name) ?? a.index) - (rank.get(b.property.name) ?? b.index) || a.index - b.index));
    let x = this.idWidth;
    this.shown = ranked.map(({ property, index }) => {
      const width = this.widths.get(property.name) ?? this.#usualWidth(property);
      const column = { property, index, x, width, isPinned: property.name === this.pinned, isRight: isNumeric(property) };
      x += width;
      return column;
    });
    this.width = x;
    this.frozen = this.shown[0]?.isPinned ? this.idWidth + this.shown[0].width : this.idWidth;
  }

  get idWidth() {
    return this.widths.get('') ?? 84;
  }

  #usualWidth(property) {
    const name = property.name.length * 7.5 + property.swiftType.length * 6 + 44;
    return Math.round(Math.max(widths[kindOf(property)] ?? 140, Math.min(name, 260)));
  }

  keep() {
    this.lay();
    this.isDefault = false;
    keepSetting(this.store, JSON.stringify({
      order: this.order, hidden: [...this.hidden], widths: [...this.widths], pinned: this.pinned,
    }));
  }

  forget() {
    keepSetting(this.store, null);
    Object.assign(this, new Columns(this.className));
  }

  resize(name, width) {
    this.widths.set(name, Math.max(least, Math.round(width)));
    this.lay();
  }

  move(from, to) {
    const names = this.shown.map(({ property }) => property.name);
    const [name] = names.splice(from, 1);
    names.splice(Math.max(0, Math.min(to, names.length)), 0, name);
    this.order = [...names, ...this.hidden];
    this.keep();
  }

  toggle(name) {
    if (!this.order.length) this.order = this.properties.map((property) => property.name);
    if (!this.hidden.delete(name)) this.hidden.add(name);
    this.keep();
  }

  pin(name) {
    this.pinned = this.pinned === name ? null : name;
    this.keep();
  }
}

function readKept(store) {
  try {
    return JSON.parse(setting(store)) ?? {};
  } catch {
    return {};
  }
}

/** What a click on a head makes of the sort: up, down, not; with Shift beside the other keys. */
export function nextSort(sort, name, keepsOthers) {
  const current = sort.find((key) => key.name === name);
  const next = !current ? { name, descending: false } : !current.descending ? { name, descending: true } : null;
  if (!keepsOthers) return next ? [next] : [];
  if (!current) return [...sort, next];
  return sort.flatMap((key) => (key.name !== name ? [key] : next ? [next] : []));
}

/** Draws the heads of a grid into its head row. */
export function drawHeads(grid) {
  const { columns, head } = grid;
  head.style.width = `${columns.width}px`;
  head.replaceChildren(idHead(grid), ...columns.shown.map((column, index) => columnHead(grid, column, index)));
  grid.filters?.draw(columns);
}

function idHead(grid) {
  const head = el('div', {
    class: 'column identity', role: 'columnheader', id: `${grid.name}-h0`, 'aria-colindex': '1', title: 'Identity of the row',
  }, el('span', { class: 'name' }, '#'));
  head.style.width = `${grid.columns.idWidth}px`;
  head.append(resizer(grid, '', grid.columns.idWidth));
  return head;
}

function columnHead(grid, column, index) {
  const { property } = column;
  const place = grid.sort.findIndex((key) => key.name === property.name);
  const key = grid.sort[place];
  const head = el('div', {
    class: `column ${column.isRight ? 'right' : ''} ${column.isPinned ? 'pinned' : ''} ${isKey(property) ? 'key' : ''}`,
    role: 'columnheader', id: `${grid.name}-h${index + 1}`, 'aria-colindex': index + 2,
    'aria-sort': key ? (key.descending ? 'descending' : 'ascending') : canSort(property) ? 'none' : null,
    title: [`${plainName(property.name)}: ${plainName(property.swiftType)}`, isKey(property) && 'primary key', property.indexed && 'with an index']
      .filter(Boolean).join(', '),
    onclick: (event) => {
      if (canSort(property) && !grid.wasDragged) grid.sortBy(nextSort(grid.sort, property.name, event.shiftKey));
    },
    oncontextmenu: (event) => { event.preventDefault(); openColumnMenu(grid, column, index, pointOf(event)); },
    onpointerdown: (event) => startMove(grid, head, index, event),
  }, el('bdi', { class: 'name' }, plainName(property.name)), el('span', { class: 'type' }, plainName(property.swiftType)),
  key ? el('span', { class: 'sorted', 'aria-hidden': 'true' }, `${key.descending ? '↓' : '↑'}${grid.sort.length > 1 ? place + 1 : ''}`) : null);
  const more = button(`Menu of column ${plainName(property.name)}`, (event) => {
    event.stopPropagation();
    openColumnMenu(grid, column, index, more);
  }, { image: 'down', kind: 'head-menu' });
  more.tabIndex = -1;
  head.append(more, resizer(grid, property.name, column.width));
  if (column.isPinned) {
    head.style.left = `${grid.columns.idWidth}px`;
  } else {
    head.style.transform = `translateX(${column.x}px)`;
  }
  head.style.width = `${column.width}px`;
  return head;
}

export const canSort = (property) => !property.collection && !['data', 'object'].includes(property.type);

function resizer(grid, name, width) {
  return el('span', { class: 'resizer', 'aria-hidden': 'true', onclick: (event) => event.stopPropagation(), ondblclick: () => {
    grid.columns.widths.delete(name);
    grid.columns.keep();
    grid.redraw();
  }, onpointerdown: (event) => {
    event.stopPropagation();
    follow(event, (moved) => {
      grid.columns.resize(name, width + moved.clientX - event.clientX);
      grid.redraw();
    }, () => grid.columns.keep());
  } });
}

/** Follows a pointer until it is released; the window hears it also outside of the element. */
function follow(event, moved, ended) {
  const stop = new AbortController();
  addEventListener('pointermove', moved, { signal: stop.signal });
  for (const name of ['pointerup', 'pointercancel']) {
    addEventListener(name, (last) => { stop.abort(); ended(last); }, { signal: stop.signal });
  }
  event.preventDefault();
}

/** Dragging a head moves its column; less than some pixels is a click. */
function startMove(grid, head, index, event) {
  if (event.button !== 0 || event.target.closest('.resizer, button')) return;
  grid.wasDragged = false;
  let target = index;
  follow(event, (moved) => {
    const by = moved.clientX - event.clientX;
    if (Math.abs(by) < 6 && !grid.wasDragged) return;
    grid.wasDragged = true;
    head.classList.add('dragged');
    const column = grid.columns.shown[index];
    const middle = column.x + column.width / 2 + by;
    target = grid.columns.shown.filter((other) => other !== column && other.x + other.width / 2 < middle).length;
    head.style.transform = `translateX(${(column.isPinned ? 0 : column.x) + by}px)`;
  }, () => {
    if (!grid.wasDragged) return;
    grid.columns.move(index, target);
    grid.redraw();
  });
}

export function openColumnMenu(grid, column, index, anchor) {
  const { property } = column;
  const sorting = (descending) => () => grid.sortBy([{ name: property.name, descending }]);
  const changed = (change) => () => { change(); grid.redraw(); };
  openMenu(anchor, [
    { text: 'Sort up', run: sorting(false), off: !canSort(property) },
    { text: 'Sort down', run: sorting(true), off: !canSort(property) },
    null,
    { text: column.isPinned ? 'Release' : 'Pin at the left', run: changed(() => grid.columns.pin(property.name)) },
    { text: 'Move left', hint: 'Alt+←', run: changed(() => grid.columns.move(index, index - 1)), off: index === 0 },
    { text: 'Move right', hint: 'Alt+→', run: changed(() => grid.columns.move(index, index + 1)) },
    { text: 'Hide', run: changed(() => grid.columns.toggle(property.name)) },
    ...(grid.about ? [null, { text: 'About this column…', run: () => grid.about(property) }] : []),
  ]);
}

/** A menu with all columns, of which each can be shown or hidden. */
export function openColumnsMenu(grid, anchor) {
  const { columns } = grid;
  openMenu(anchor, [
    ...columns.properties.map((property) => ({
      text: plainName(property.name), checked: !columns.hidden.has(property.name),
      run: () => { columns.toggle(property.name); grid.redraw(); },
    })),
    null,
    { text: 'As in the class', off: columns.isDefault, run: () => { columns.forget(); grid.redraw(); } },
  ]);
}
