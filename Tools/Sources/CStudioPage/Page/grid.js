// The grid: a million rows, of which those are drawn that are seen.

import { button, counted, el, grouped } from './dom.js';
import { isWritable, model } from './model.js';
import { Columns, drawHeads } from './heads.js';
import { Rows } from './rows.js';
import { mostSelected, selectRange } from './select.js';
import { isNumeric, plainName, shown } from './values.js';
import { Viewport, rowHeight } from './viewport.js';

const flashTime = 2400;
let made = 0;

/**
 * A grid of a class. `options`: `className`, `where`, `sort`, `columns`, and what is called:
 * `sortBy(sort)`, `activated(row)`, `opened(row)`, `figures(text)`, `failed(error)`, `menu(event)`.
 */
export class Grid {
  constructor(options) {
    Object.assign(this, options);
    this.name = `grid${made += 1}`;
    this.columns = new Columns(this.className, options.columns);
    this.active = { position: 0, column: 0 };
    this.selected = new Set();
    // The active cell at the beginning is nobody's choice.
    this.wasChosen = false;
    this.flashes = new Map();
    this.elements = new Map();
    this.#build();
    this.ask(this.where, this.sort);
  }

  #build() {
    this.head = el('div', { class: 'grid-head', role: 'row', 'aria-rowindex': '1' });
    this.body = el('div', { class: 'grid-body', role: 'rowgroup' });
    this.heads = el('div', { class: 'grid-heads', role: 'rowgroup' }, this.head);
    this.element = el('div', {
      class: 'grid', role: 'grid', tabindex: '0', 'aria-label': `Objects of ${plainName(this.className)}`,
      'aria-colcount': this.columns.shown.length + 1, 'aria-multiselectable': 'true', 'aria-readonly': String(!isWritable()),
      onfocus: () => this.markActive(),
    }, this.heads, this.body);
    this.body.addEventListener('mouseover', (event) => tellWhole(event.target.closest('.cell')));
    this.view = new Viewport({ element: this.element, heads: this.heads, body: this.body, moved: () => this.drawSoon() });
    this.empty = el('div', { class: 'empty', hidden: true });
    this.meter = el('div', { class: 'meter', role: 'progressbar', 'aria-label': 'Reading the order of all objects', hidden: true }, el('i'));
    this.host = el('div', { class: 'grid-host' }, this.element, this.empty, this.meter);
    new ResizeObserver(() => this.draw()).observe(this.element);
    drawHeads(this);
  }

  /**
   * Asks a question. The answer before stays until the first rows of the new one are there, and also
   * if it is refused.
   */
  ask(where, sort) {
    this.where = where;
    this.sort = sort;
    this.pending?.stop();
    this.element.setAttribute('aria-busy', 'true');
    const rows = new Rows({ className: this.className, where, sort }, (what, detail) => this.#told(rows, what, detail));
    this.pending = rows;
    if (!this.rows) this.#adopt();
    if (!where && model.counts.has(this.className)) rows.setTotal(model.counts.get(this.className), true);
    drawHeads(this);
    rows.want(0, 60);
  }

  #adopt() {
    this.rows?.stop();
    this.rows = this.pending;
    this.pending = null;
    this.active.position = Math.min(0, this.active.position);
    this.clearSelection();
    this.wasChosen = false;
    this.flashes.clear();
    this.view.scrollTo(0);
  }

  stop() {
    this.rows.stop();
    this.pending?.stop();
  }

  #told(rows, what, detail) {
    if (rows !== this.rows && rows !== this.pending) return;
    if (what === 'waiting') this.isWaiting = detail;
    if (what === 'progress') this.#showProgress(detail);
    if (what === 'failed') this.#fail(rows, detail);
    if (rows === this.pending && what === 'rows') this.#adopt();
    if (what === 'moved') this.view.scrollTo(this.view.top + detail * rowHeight);
    if (what === 'rows') this.#tookRows();
    this.draw();
    this.tellFigures();
  }

  #tookRows() {
    this.element.removeAttribute('aria-busy');
    if (!this.hadFirst) {
      this.hadFirst = true;
      this.firstPage?.();
    }
    this.tellActive();
  }

  /** Where this view was left, once there are as many rows. */
  #returnToStart() {
    if (!this.start || this.rows.total * rowHeight < this.start.top) return;
    const { top, active } = this.start;
    this.start = null;
    this.active = active;
    this.view.setTotal(this.rows.total);
    this.view.scrollTo(top);
  }

  #fail(rows, error) {
    this.element.removeAttribute('aria-busy');
    if (rows === this.pending) this.pending = null;
    if (!this.rows.columns) {
      this.empty.hidden = false;
      this.empty.replaceChildren(el('p', {}, error.code === 'condition' ? 'The condition has a mistake.' : error.message));
    }
    this.failed?.(error);
  }

  #showProgress(fraction) {
    this.meter.hidden = fraction === null;
    if (fraction === null) return;
    this.meter.setAttribute('aria-valuenow', Math.round(fraction * 100));
    this.meter.firstChild.style.height = `${fraction * 100}%`;
  }

  tellFigures() {
    const { total, isExact, milliseconds } = this.rows;
    const whole = model.counts.get(this.className);
    const number = `${isExact ? '' : 'more than '}${grouped(isExact ? total : Math.max(0, total - 1))}`;
    const isPart = this.rows.question.where && whole != null;
    const parts = [this.isWaiting ? `${this.sort.length ? 'sorting' : 'reading'} ${grouped(whole ?? total)} objects …`
      : isPart ? `${number} of ${counted(whole, 'object')}` : `${number} ${total === 1 ? 'object' : 'objects'}`];
    if (this.selected.size) parts.push(`${grouped(this.selected.size)} selected`);
    if (!this.isWaiting && milliseconds != null) parts.push(`${milliseconds} ms`);
    this.figures?.(parts.join(' · '));
  }

  drawSoon() {
    this.frame ??= requestAnimationFrame(() => { this.frame = null; this.draw(); });
  }

  // Drawing.

  redraw() {
    this.elements.forEach((element) => element.remove());
    this.elements.clear();
    this.element.setAttribute('aria-colcount', this.columns.shown.length + 1);
    this.active.column = Math.min(this.active.column, this.columns.shown.length);
    drawHeads(this);
    this.draw();
  }

  draw() {
    if (!this.element.isConnected) return;
    this.view.setTotal(this.rows.total);
    this.body.style.width = `${this.columns.width}px`;
    this.#returnToStart();
    this.element.setAttribute('aria-rowcount', this.rows.isExact ? this.rows.total + 1 : -1);
    const { from, to } = this.view.range;
    this.rows.want(from - 10, to + 30);
    const kept = new Set();
    const range = this.#visibleColumns();
    for (let position = Math.max(0, from - 2); position < Math.min(to + 2, this.rows.total || to); position += 1) {
      const row = this.rows.at(position);
      const key = row ? row.id : `at ${position}`;
      kept.add(key);
      this.#place(this.#rowElement(key, row, range), position);
    }
    for (const [key, element] of this.elements) {
      if (kept.has(key)) continue;
      element.remove();
      this.elements.delete(key);
    }
    this.#showEmpty();
    this.markActive();
    this.drawn?.();
  }

  #place(element, position) {
    const top = this.view.topOf(position);
    if (element.top !== top) element.style.transform = `translateY(${top}px)`;
    element.top = top;
    if (element.position !== position) element.setAttribute('aria-rowindex', position + 2);
    element.position = position;
  }

  /** Columns in sight, by their number; pinned ones always are. */
  #visibleColumns() {
    const left = this.element.scrollLeft - 100;
    const right = left + this.element.clientWidth + 200;
    const inside = this.columns.shown.filter((column) => column.isPinned || (column.x + column.width > left && column.x < right));
    return { columns: inside, key: `${inside[0]?.x} ${inside.at(-1)?.x} ${inside.length}` };
  }

  #rowElement(key, row, range) {
    let element = this.elements.get(key);
    if (!element) {
      element = el('div', { class: 'row', role: 'row' });
      this.elements.set(key, element);
      this.body.append(element);
    }
    if (element.row !== row || element.range !== range.key) this.#fill(element, row, range);
    const isSelected = row !== undefined && this.selected.has(row.id);
    element.classList.toggle('selected', isSelected);
    element.setAttribute('aria-selected', String(isSelected));
    return element;
  }

  #fill(element, row, range) {
    element.row = row;
    element.range = range.key;
    element.style.width = `${this.columns.width}px`;
    element.classList.toggle('loading', !row);
    const content = row ? String(row.id) : el('span', { class: 'ghost' });
    const identity = el('div', { class: 'cell identity', role: 'rowheader', 'aria-colindex': '1' }, content);
    identity.style.width = `${this.columns.idWidth}px`;
    identity.column = 0;
    element.replaceChildren(identity, ...range.columns.map((column) => this.#cell(column, row)));
    if (row) this.#flash(element, row.id);
  }

  #cell(column, row) {
    const { property } = column;
    const content = row ? shown(property, row.values[column.index], { id: row.id }) : el('span', { class: 'ghost' });
    const number = this.columns.shown.indexOf(column) + 1;
    const cell = el('div', {
      class: `cell ${isNumeric(property) ? 'right' : ''} ${column.isPinned ? 'pinned' : ''}`, role: 'gridcell', 'aria-colindex': number + 1,
    }, content);
    cell.column = number;
    cell.style.width = `${column.width}px`;
    if (column.isPinned) cell.style.left = `${this.columns.idWidth}px`;
    else cell.style.transform = `translateX(${column.x}px)`;
    return cell;
  }

  #showEmpty() {
    if (!this.rows.columns) return;
    const isEmpty = this.rows.isExact && this.rows.total === 0;
    if (this.empty.hidden === !isEmpty) return;
    this.empty.hidden = !isEmpty;
    if (isEmpty) this.empty.replaceChildren(...this.emptyState());
  }

  emptyState() {
    if (this.where) return [el('p', {}, 'No object matches.'), button('Remove the condition', () => this.cleared?.())];
    return [el('p', {}, 'This class has no objects.'), el('p', { class: 'dim' }, 'Objects that a program adds appear here at once.')];
  }

  // The active cell and the selection.

  get activeRow() {
    return this.rows.at(this.active.position);
  }

  get activeColumn() {
    return this.columns.shown[this.active.column - 1] ?? null;
  }

  get activeElement() {
    if (this.active.position < 0) return this.head.children[this.active.column];
    const row = this.elements.get(this.activeRow?.id ?? `at ${this.active.position}`);
    return row && [...row.children].find((cell) => cell.column === this.active.column);
  }

  markActive() {
    this.marked?.classList.remove('active');
    this.marked = this.activeElement;
    if (!this.marked) {
      this.element.removeAttribute('aria-activedescendant');
      return;
    }
    this.marked.classList.add('active');
    this.marked.id ||= `${this.name}-r${this.active.position}c${this.active.column}`;
    this.element.setAttribute('aria-activedescendant', this.marked.id);
  }

  /** Makes a cell the active one, and brings it into sight. */
  activate(position, column = this.active.column) {
    const last = this.rows.total - 1;
    this.active = {
      position: Math.max(-1, Math.min(position, last)),
      column: Math.max(0, Math.min(column, this.columns.shown.length)),
    };
    this.wasChosen = true;
    this.reveal();
    this.draw();
    this.tellActive();
  }

  reveal() {
    this.view.reveal(this.active.position);
    const column = this.activeColumn;
    if (!column || column.isPinned) return;
    const { scrollLeft, clientWidth } = this.element;
    if (column.x - this.columns.frozen < scrollLeft) this.element.scrollLeft = column.x - this.columns.frozen;
    else if (column.x + column.width > scrollLeft + clientWidth) this.element.scrollLeft = column.x + column.width - clientWidth;
  }

  tellActive() {
    const row = this.activeRow;
    if (row) this.activated?.(row);
  }

  /** Selects from the anchor to a position; the identities of what isn't read are asked for. */
  selectTo(position) {
    const anchor = this.anchor ?? this.active.position;
    const from = Math.max(0, Math.min(anchor, position));
    const to = Math.max(anchor, position);
    this.anchor = anchor;
    return selectRange(this, from, to);
  }

  /** Selects all that match. */
  selectAll() {
    this.anchor = null;
    return selectRange(this, 0, this.rows.isExact ? this.rows.total - 1 : mostSelected - 1);
  }

  clearSelection() {
    this.selecting = null;
    this.selected.clear();
    this.anchor = null;
    if (this.rows) this.tellFigures();
  }

  /** The identities of what is selected, or of the active row. */
  get chosenIds() {
    if (this.selected.size) return [...this.selected];
    return this.activeRow ? [this.activeRow.id] : [];
  }

  // Changes of others.

  async refresh() {
    const { from, to } = this.view.range;
    const anchor = this.rows.at(from);
    const active = this.activeRow;
    const changes = await this.rows.refresh(from, to);
    if (!changes) return;
    this.#keepPlace(from, anchor);
    const place = active ? this.rows.positionOf(active.id) : -1;
    if (place >= 0) this.active.position = place;
    const now = performance.now();
    for (const id of changes.inserted) this.flashes.set(id, { time: now, columns: null });
    for (const [id, columns] of changes.modified) this.flashes.set(id, { time: now, columns });
    for (const [id, { time }] of this.flashes) if (now - time > flashTime) this.flashes.delete(id);
    this.body.classList.add('settling');
    this.draw();
    this.tellFigures();
    setTimeout(() => this.body.classList.remove('settling'), 250);
  }

  /** The first visible object stays where it is, unless the view is at the beginning. */
  #keepPlace(from, anchor) {
    if (this.view.top === 0 || !anchor) return;
    const place = this.rows.positionOf(anchor.id);
    if (place >= 0 && place !== from) this.view.scrollTo(this.view.top + (place - from) * rowHeight);
  }

  #flash(element, id) {
    const flash = this.flashes.get(id);
    const age = flash ? performance.now() - flash.time : flashTime;
    if (age >= flashTime) return;
    const cells = flash.columns === null ? [...element.children]
      : [...element.children].filter((cell) => flash.columns.includes(this.columns.shown[cell.column - 1]?.index));
    for (const cell of cells) {
      cell.classList.add(flash.columns === null ? 'inserted' : 'modified');
      cell.style.animationDelay = `${-Math.round(age)}ms`;
    }
  }
}

/** What is cut off is told when the pointer rests on it. */
function tellWhole(cell) {
  if (cell && cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent;
  else cell?.removeAttribute('title');
}
