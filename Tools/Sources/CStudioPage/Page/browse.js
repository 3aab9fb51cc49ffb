// The view of a class: its condition, its grid, and what can be done with them.

import { ask, path } from './api.js';
import { aboutColumn } from './column.js';
import { button, copyText, el, notice, openMenu, settled } from './dom.js';
import { editing } from './edit.js';
import { copyRows, openSaveMenu } from './export.js';
import { Filters } from './filter.js';
import { Grid } from './grid.js';
import { openColumnsMenu } from './heads.js';
import { listen } from './keys.js';
import { address, isWritable, model, tell } from './model.js';
import { panel } from './panel.js';
import { QueryBar } from './query.js';
import { both, condition, copied, plainName, present } from './values.js';
import { whole } from './whole.js';

// Where views were left, so that going back shows the same rows.
const places = new Map();

export class Browser {
  constructor(asked) {
    this.told = location.hash;
    this.className = asked.className;
    this.where = asked.where;
    this.sort = asked.sort.filter(({ name }) => model.classes.get(asked.className).byName.has(name));
    this.askedColumns = asked.columns.filter((name) => model.classes.get(asked.className).byName.has(name));
    this.bar = new QueryBar({
      className: this.className, where: this.where, tools: this.#tools(),
      asked: (where) => this.#askBar(where), left: () => this.grid.element.focus(),
    });
    this.grid = new Grid({
      className: this.className, where: this.where, sort: this.sort, columns: this.askedColumns, start: places.get(this.address),
      sortBy: (sort) => this.#go({ sort }),
      activated: settled(90, (row) => this.#follow(row)),
      figures: (text) => tell('figures', text),
      failed: (error) => this.#refuse(error),
      cleared: () => { this.bar.set(''); this.#askBar(''); },
      about: (property) => this.#about(property),
      firstPage: () => this.#afterFirstPage(),
    });
    this.filters = new Filters(this.className, (condition) => this.#filter(condition));
    this.base = this.where;
    this.grid.filters = this.filters;
    this.grid.heads.append(this.filters.element);
    this.editor = editing(this);
    listen(this.grid, this.#acts());
    this.element = el('section', { class: 'browse' }, this.bar.element, this.grid.host);
    if (asked.open != null) panel.show(this.className, asked.open, { isOfGrid: true });
  }

  #tools() {
    const columns = button('Columns', () => openColumnsMenu(this.grid, columns), { image: 'columns' });
    const save = button('Save as a file (Ctrl+S)', () => this.save(save), { image: 'save' });
    this.saveButton = save;
    const filter = button('Filter', () => this.filter(), { title: 'Boxes that filter columns (Ctrl+Shift+F)' });
    const isClass = model.classes.get(this.className).kind !== 'embedded';
    const create = isWritable() && isClass ? button('New', () => this.editor.create(), { kind: 'main' }) : null;
    return [filter, columns, save, create].filter(Boolean);
  }

  #acts() {
    return {
      open: () => this.open(), peek: () => this.peek(), openPage: () => this.openPage(), leave: () => this.leave(),
      follow: (className, id) => panel.show(className, id), copy: () => this.copy(),
      menu: (anchor) => this.openCellMenu(anchor ?? this.grid.activeElement),
      ...this.editor.acts,
    };
  }

  get address() {
    return address({ className: this.className, where: this.where, sort: this.sort, columns: this.askedColumns, open: this.opened });
  }

  focus() {
    this.grid.element.focus({ preventScroll: true });
  }

  stop() {
    places.set(this.address, { top: this.grid.view.top, active: this.grid.active });
    this.grid.stop();
    this.counting?.abort();
  }

  /** Puts the object at the side into the address, unless that leads to another view already. */
  #tellAddress() {
    if (location.hash !== this.told) return;
    history.replaceState(null, '', this.address);
    this.told = location.hash;
  }

  /** Shows another question of the same class, as going back does. */
  take({ where, sort, open }) {
    this.told = location.hash;
    if (where !== this.where || JSON.stringify(sort) !== JSON.stringify(this.sort)) {
      this.bar.set(where);
      this.base = where;
      this.filters.clear();
      this.#go({ where, sort }, { isKept: true });
    }
    if (open == null) panel.close();
    else panel.show(this.className, open, { isOfGrid: true });
  }

  /** What is asked in the bar takes the place of the boxes. */
  #askBar(where) {
    this.base = where;
    this.filters.clear();
    this.#go({ where });
  }

  /** What is typed into the boxes narrows what was asked in the bar. */
  #filter(condition) {
    const where = both(this.base, condition);
    this.bar.set(where);
    this.#go({ where }, { isTyped: true });
  }

  filter() {
    this.filters.toggle(this.grid.columns, () => this.focus());
    this.grid.draw();
  }

  #go(question, { isKept = false, isTyped = false } = {}) {
    Object.assign(this, question);
    if (isTyped) history.replaceState(null, '', this.address);
    else if (!isKept) history.pushState(null, '', this.address);
    this.told = location.hash;
    this.grid.ask(this.where, this.sort);
    this.counted = false;
    this.grid.hadFirst = false;
    if ('where' in question && !isKept && !isTyped) this.focus();
  }

  /** A wrong condition leaves the last answer in the grid: only the text is marked. */
  #refuse(error) {
    if (error.code === 'condition') this.bar.refuse(error);
    else if (error.code === 'gone') tell('reload');
    else if (error.code !== 'away') notice(error.message);
  }

  #afterFirstPage() {
    this.bar.explain(this.where, this.sort);
    if (this.where) this.count();
    else if (model.counts.has(this.className)) this.takeCounts();
    tell('shown');
  }

  /** How many objects match. The first count has a limit of time, a second one none. */
  async count(all = false) {
    this.counting?.abort();
    this.counting = new AbortController();
    const query = { where: this.where, ...(all ? { all: 'true' } : {}) };
    const answer = await ask(path('count', this.className), query, this.counting.signal).catch(() => null);
    if (!answer || query.where !== this.where) return;
    this.grid.rows.setTotal(answer.count, !answer.more);
    this.grid.tellFigures();
    tell('more', answer.more ? () => this.count(true) : null);
  }

  takeCounts() {
    const count = model.counts.get(this.className);
    if (!this.where && count != null) this.grid.rows.setTotal(count, true);
  }

  async refresh() {
    await this.grid.refresh();
  }

  /** After quiet: the number of objects that match may be another one now. */
  recount() {
    if (this.where) this.count();
    else this.takeCounts();
  }

  // The object at the side.

  #follow(row) {
    if (panel.isOpen && panel.isOfGrid) this.#show(row);
  }

  #show(row) {
    this.opened = row.id;
    this.#tellAddress();
    panel.show(this.className, row.id, { isOfGrid: true }).then(() => this.grid.reveal());
  }

  open() {
    const row = this.grid.activeRow;
    if (row) this.#show(row);
  }

  showObject(id) {
    this.#show({ id });
  }

  peek() {
    if (panel.isOpen) panel.close();
    else this.open();
  }

  openPage() {
    const row = this.grid.activeRow;
    if (row) location.hash = address({ className: this.className, id: row.id });
  }

  closed() {
    this.opened = null;
    this.#tellAddress();
    this.focus();
  }

  leave() {
    if (this.grid.selected.size) {
      this.grid.clearSelection();
      this.grid.draw();
    } else if (panel.isOpen) {
      panel.close();
    }
  }

  #about(property) {
    panel.take(`About ${plainName(property.name)}`, (host, signal) => aboutColumn(host, property, {
      where: this.where, signal, filter: (text) => this.bar.add(text),
    }));
  }

  save(anchor) {
    openSaveMenu(this.grid, anchor ?? this.saveButton);
  }

  copy() {
    const { selected, activeRow: row, activeColumn: column } = this.grid;
    if (selected.size) copyRows(this.grid, 'text');
    else if (row) copyText(column ? this.#cellText(row, column) : String(row.id), 'the cell');
  }

  async #cellText(row, { property, index }) {
    return copied(property, await whole(property, row.id, row.values[index]));
  }

  openCellMenu(anchor) {
    const { activeRow: row, activeColumn: column, selected } = this.grid;
    if (!row || !anchor) return;
    const value = column && present(row.values[column.index]);
    const conditions = column ? ['==', '!='].map((operator) => condition(column.property, value, operator)).filter(Boolean) : [];
    const many = selected.size > 1;
    openMenu(anchor, [
      ...conditions.map((text) => ({ text: plainName(text.length > 48 ? text.slice(0, 47) + '…' : text), run: () => this.bar.add(text) })),
      conditions.length ? null : undefined,
      { text: 'Show the object', hint: 'Space', run: () => this.open() },
      { text: 'Open its page', hint: 'Ctrl+Enter', run: () => this.openPage() },
      null,
      { text: many ? 'Copy rows as text' : 'Copy the cell', hint: 'Ctrl+C', run: () => this.copy() },
      { text: many ? 'Copy rows as JSON' : 'Copy the row as JSON', run: () => copyRows(this.grid, 'json') },
      { text: many ? 'Copy rows as CSV' : 'Copy the row as CSV', run: () => copyRows(this.grid, 'csv') },
      ...this.editor.menu(),
    ].filter((item) => item !== undefined));
  }
}
