// Editing of a grid: cells, links, new objects, deleting.

import { post } from './api.js';
import { change, redo, tryChange, undo } from './changes.js';
import { counted, el, grouped, notice, openDialog, say } from './dom.js';
import { askField, drawForm, made, readText, valueField, zeros } from './fields.js';
import { isKey, isWritable, model } from './model.js';
import { pickObject } from './pick.js';
import { isCut, kindOf, plainName, present, shown } from './values.js';
import { whole } from './whole.js';

/** Keys of editing that work everywhere. */
export const editKeys = () => (isWritable() ? { 'Ctrl+z': undo, 'Ctrl+Z': redo, 'Ctrl+y': redo } : {});

/** Asks for a value in a dialog; undefined where it is left as it was. */
export async function askValue(property, value, { lines = true } = {}) {
  const field = valueField(property, value, { lines, pick: pickObject });
  const isWide = lines && ['string', 'mixed'].includes(property.type);
  const answer = await askField(`${plainName(property.className)}.${plainName(property.name)}`, field, isWide ? 'wide' : '');
  return answer === null || answer.value === value ? undefined : answer.value;
}

const isKept = (property) => isKey(property) ? 'A primary key can be set only when an object is created.' : null;

/** Whether a text needs more than a line. */
const isLong = (value) => isCut(value) || (typeof value === 'string' && /[\r\n]/.test(value));

// The studio keeps no more to take it back.
const mostUndone = 1000;

/** Whether a value can be given to many objects at once. */
const canSetMany = (property) => !isKey(property) && !property.collection && kindOf(property) !== 'embedded' && property.type !== 'data';

/** What a grid can do with its objects; nothing where the file is only read. */
export function editing(browser) {
  if (!isWritable()) return { acts: {}, menu: () => [] };
  return new GridEditor(browser);
}

class GridEditor {
  constructor(browser) {
    this.browser = browser;
    this.className = browser.className;
    this.grid = browser.grid;
    this.grid.drawn = () => this.#place();
    this.grid.element.addEventListener('paste', (event) => this.#paste(event));
    this.acts = {
      edit: () => { this.start(); return true; }, type: (text) => this.start(text),
      clear: () => this.clear(), remove: () => this.remove(), peek: () => this.#space(),
    };
  }

  menu() {
    const { activeColumn: column, chosenIds } = this.grid;
    const rows = chosenIds.length;
    const isForMany = rows > 1 && column && canSetMany(column.property);
    return [null,
      { text: 'Edit', hint: 'Enter', run: () => this.start(), off: !column },
      ...(isForMany ? [{ text: `Set '${plainName(column.property.name)}' of ${grouped(rows)} objects…`, run: () => this.setMany() }] : []),
      { text: 'Set to nil', hint: 'Ctrl+Backspace', run: () => this.clear(), off: !column?.property.optional },
      { text: 'Duplicate', run: () => this.create(this.grid.activeRow) },
      { text: rows > 1 ? `Delete ${grouped(rows)} objects…` : 'Delete…', hint: 'Delete', run: () => this.remove() },
    ];
  }

  get #cell() {
    const { activeRow: row, activeColumn: column } = this.grid;
    return row && column ? { row, property: column.property, value: row.values[column.index] } : null;
  }

  #set({ row, property, value }, to) {
    return { set: { class: this.className, id: row.id, property: property.name, was: value, to } };
  }

  // Cells.

  #space() {
    const cell = this.#cell;
    if (cell?.property.type === 'bool' && !cell.property.collection) tryChange([this.#set(cell, !cell.value)]);
    else this.browser.peek();
  }

  clear() {
    const cell = this.#cell;
    if (cell?.property.optional && !cell.property.collection) tryChange([this.#set(cell, null)], 'Set to nil.');
    else if (cell) say('This property is not optional.');
  }

  /** Gives a property of all selected objects the same value. */
  async setMany() {
    const { activeColumn: { property }, activeRow: row, chosenIds: ids } = this.grid;
    const body = { class: this.className, ids };
    try {
      const { state } = await post('/api/state', body);
      const start = row ? present(row.values[this.grid.activeColumn.index]) : null;
      const field = valueField({ ...property, className: this.className }, start, { lines: isLong(start), pick: pickObject });
      const title = `${plainName(property.name)} of ${grouped(ids.length)} ${plainName(this.className)}`;
      const hint = ids.length > mostUndone ? " (can't be undone)" : '';
      const answer = await askField(title + hint, field);
      if (answer === null) return;
      await change([{ setAll: { ...body, property: property.name, to: answer.value, state } }]);
      say(`Set ${counted(ids.length, 'object')}.`);
    } catch (error) {
      notice(error.message);
    }
  }

  /** Edits the active cell where it is, or in a dialog where it needs room. */
  start(typed) {
    const cell = this.#cell;
    if (!cell) return false;
    const kind = kindOf(cell.property);
    if (isKept(cell.property)) say(isKept(cell.property));
    else if (kind === 'collection' || kind === 'embedded') this.browser.open();
    else if (kind === 'link') this.#pick(cell);
    else if (kind === 'mixed' || kind === 'data' || isLong(cell.value)) this.#ask(cell);
    else this.#open(cell, typed);
    return true;
  }

  async #pick(cell) {
    const link = await pickObject(cell.property.target, cell.value);
    if (link) tryChange([this.#set(cell, { id: link.id })]);
  }

  async #ask({ property, row, value: start }) {
    try {
      const value = await whole(property, row.id, start);
      const to = await askValue(property, value);
      if (to !== undefined) tryChange([this.#set({ row, property, value }, to)]);
    } catch (error) {
      notice(error.message);
    }
  }

  #open(cell, typed) {
    this.close();
    const field = valueField({ ...cell.property, className: this.className }, cell.value);
    this.editor = el('div', { class: 'editor', onkeydown: (event) => this.#key(event), onfocusout: (event) => {
      const isLeft = !this.editor?.contains(event.relatedTarget) && document.hasFocus();
      // Only who has read that there is another value now, and says so by a key, writes over it.
      if (isLeft && !this.editor?.hasConflict) this.#save();
    } }, field.element);
    Object.assign(this.editor, { cell, field, position: this.grid.active.position, column: this.grid.activeColumn });
    this.grid.body.append(this.editor);
    this.#place();
    field.focus();
    if (typed !== undefined && field.input.tagName === 'INPUT') field.input.value = '';
    // What was typed is put in by the key itself, after this.
    if (typed !== undefined && field.input.tagName === 'INPUT') field.input.setRangeText(typed, 0, 0, 'end');
  }

  #place() {
    if (!this.editor) return;
    const { column, position, style } = this.editor;
    const current = this.grid.columns.shown.find(({ property }) => property === column.property) ?? column;
    const x = current.isPinned ? this.grid.columns.idWidth + this.grid.element.scrollLeft : current.x;
    style.transform = `translate(${x}px, ${this.grid.view.topOf(position)}px)`;
    style.width = `${current.width}px`;
  }

  #key(event) {
    event.stopPropagation();
    const { cell } = this.editor;
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && event.shiftKey && cell.property.type === 'string') {
      this.close();
      this.#ask(cell);
    } else if (event.key === 'Enter' && !event.isComposing) this.#save();
    else if (event.key === 'Tab') this.#save(event.shiftKey ? -1 : 1);
    else if (event.key === 'Backspace' && event.ctrlKey && cell.property.optional) {
      this.close();
      this.clear();
    } else return;
    event.preventDefault();
  }

  /** Saves, and goes on by `step` columns. A refusal keeps the field with its text. */
  async #save(step) {
    const { editor } = this;
    if (!editor || editor.isSaving) return;
    editor.isSaving = true;
    try {
      const to = editor.field.read();
      if (to !== editor.cell.value) await change([this.#set(editor.cell, to)]);
      if (this.editor === editor) this.close();
      if (step) {
        this.grid.activate(editor.position, this.grid.active.column + step);
        this.start();
      }
    } catch (error) {
      editor.isSaving = false;
      editor.classList.add('refused');
      editor.querySelector('.mistake')?.remove();
      editor.append(el('p', { class: 'mistake', role: 'alert' }, error.message));
      editor.hasConflict = 'now' in (error.body ?? {});
      if (editor.hasConflict) editor.cell.value = error.body.now;
    }
  }

  close() {
    const { editor } = this;
    this.editor = null;
    if (!editor) return;
    const hadFocus = editor.contains(document.activeElement);
    editor.remove();
    if (hadFocus) this.grid.element.focus({ preventScroll: true });
  }

  /** Fills cells to the right and below from tab-separated text. */
  async #paste(event) {
    const text = event.clipboardData.getData('text/plain').replace(/\r?\n$/, '');
    if (event.target !== this.grid.element || !text) return;
    event.preventDefault();
    const { position, column } = this.grid.active;
    try {
      const changes = text.split(/\r?\n/).flatMap((line, down) => line.split('\t').map((typed, right) =>
        this.#pasted(typed, this.grid.rows.at(position + down), this.grid.columns.shown[column - 1 + right])));
      if (changes.length > 20 && !await confirmPaste(changes)) return;
      await change(changes);
      say(`Pasted ${counted(changes.length, 'cell')}.`);
    } catch (error) {
      notice(error.message);
    }
  }

  #pasted(typed, row, column) {
    if (!row || !column) throw new Error('What is pasted needs more rows or columns than there are.');
    const { property, index } = column;
    if (isKept(property)) throw new Error(isKept(property));
    if (property.collection || ['object', 'mixed'].includes(property.type)) {
      throw new Error(`Text can't be pasted into '${plainName(property.name)}', which is ${plainName(property.swiftType)}.`);
    }
    const to = typed === '' && property.optional ? null : readText(property.type, typed);
    return this.#set({ row, property, value: row.values[index] }, to);
  }

  // Objects.

  async create(pattern) {
    const { properties } = model.classes.get(this.className);
    const asked = properties.filter((property) => !property.collection && kindOf(property) !== 'embedded' && property.type !== 'data');
    const fields = await Promise.all(asked.map(async (property) => {
      const value = pattern?.values[properties.indexOf(property)];
      return [property, isKey(property) ? keyField(property) : startField(property, await whole(property, pattern?.id, value))];
    }));
    const values = () => Object.fromEntries(fields.map(([property, field]) => [property.name, field.read()]));
    await openDialog(pattern ? `Duplicate ${plainName(this.className)} ${pattern.id}` : `New ${plainName(this.className)}`,
      drawForm(fields), [
        { text: 'Cancel', value: null },
        { text: 'Create', main: true, run: async () => {
          const answer = await change([{ create: { class: this.className, as: 'new', values: values() } }]);
          this.browser.showObject(answer.created.new);
        } },
      ], { kind: 'wide', opened: () => fields[0]?.[1].focus() });
  }

  async remove() {
    if (await removeObjects(this.className, this.grid.chosenIds)) this.grid.clearSelection();
  }
}

/** A field of a new object, with the value of its pattern, nil or the zero of its type. */
function startField(property, value) {
  const start = value !== undefined ? value : property.optional || kindOf(property) === 'link' ? null : zeros[property.type];
  return valueField(property, start, { pick: pickObject, lines: isLong(start?.type ? start.value : start) });
}

/** A key has no zero that could stand for many objects. */
function keyField(property) {
  const field = valueField(property, undefined);
  if (made[property.type]) field.input.value = made[property.type]();
  return field;
}

async function confirmPaste(changes) {
  const rows = changes.slice(0, 12).map(({ set }) => el('tr', {}, el('td', {}, String(set.id)), el('td', {}, plainName(set.property)),
    el('td', {}, shown(model.classes.get(set.class).byName.get(set.property), set.was)),
    el('td', {}, set.to === null ? 'nil' : plainName(String(set.to.hex ?? set.to)))));
  const more = changes.length > 12 ? el('p', { class: 'dim' }, `and ${grouped(changes.length - 12)} more`) : null;
  return openDialog(`Paste ${grouped(changes.length)} cells`, [el('table', { class: 'sizes' }, el('tbody', {}, rows)), more],
    [{ text: 'Cancel', value: false }, { text: 'Paste', main: true, value: true }], { kind: 'wide' });
}

// Deleting.

const parts = (counts) => Object.entries(counts).filter(([, count]) => count > 0).map(([name, count]) => [plainName(name), count]);

/** Tells what goes with some objects, and deletes them if that is wanted. */
export async function removeObjects(className, ids) {
  if (!ids.length) return false;
  let effect;
  try {
    effect = await post('/api/effect', { class: className, ids });
  } catch (error) {
    notice(error.message);
    return false;
  }
  const least = effect.atLeast ? 'at least ' : '';
  const lines = [
    ...parts(effect.objects).map(([name, count]) => `With it: ${least}${grouped(count)} ${name}.`),
    ...parts(effect.links).map(([name, count]) => `${least}${counted(count, 'link')} ${count === 1 ? 'becomes' : 'become'} nil (${name}).`),
    ...parts(effect.elements).map(([name, count]) => `${least}${counted(count, 'element')} of ${name} ${count === 1 ? 'is' : 'are'} removed.`),
    effect.undoable ? 'Undoing brings objects back with a new identity, and with the links that are still nil.'
      : "So many objects can't be brought back by undoing.",
  ];
  return openDialog(`Delete ${grouped(ids.length)} ${plainName(className)}?`, lines.map((line) => el('p', {}, line)), [
    { text: 'Cancel', value: false },
    { text: 'Delete', main: true, kind: 'danger', run: async () => {
      await change([{ deleteAll: { class: className, ids, state: effect.state } }]);
      return true;
    } },
  ]);
}
