// Boxes below the heads of a grid: what is typed there narrows the answer, without the language of
// conditions, and becomes a condition that can be read.

import { el, settled } from './dom.js';
import { isNumeric, pathText, plainName, quoted, usualLabel } from './values.js';

const number = '[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?';
const compared = new RegExp(`^(>=|<=|!=|>|<|=)?\\s*(${number})$`);
const range = new RegExp(`^(${number})\\s*\\.\\.\\s*(${number})$`);

/** The path whose text is searched for a property: that of a link is what its object is called. */
function searched(property) {
  const name = pathText(property.name);
  if (!name || property.collection) return null;
  if (property.type === 'string') return name;
  if (property.type !== 'object') return null;
  const label = usualLabel(property.target);
  return label ? `${name}.${label}` : null;
}

/** Whether there is a box for a property. */
export const canFilter = (property) => Boolean(searched(property))
  || (!property.collection && Boolean(pathText(property.name)) && (isNumeric(property) || property.type === 'bool'));

/** The condition that a typed text means; null for none. Throws what is wrong with it. */
export function filterCondition(property, typed) {
  const text = typed.trim();
  if (!text) return null;
  const name = pathText(property.name);
  if (property.optional && /^nil$/i.test(text) && property.type !== 'string') return `${name} == nil`;
  if (searched(property)) return `${searched(property)} CONTAINS[cd] ${quoted(text)}`;
  if (property.type === 'bool') return boolCondition(name, text);
  const between = range.exec(text);
  if (between) return `${name} >= ${between[1]} AND ${name} <= ${between[2]}`;
  const [, operator = '=', value] = compared.exec(text) ?? [];
  if (value === undefined) throw new Error('Write a number: 5, >5, 3..8.');
  return `${name} ${operator === '=' ? '==' : operator} ${value.replace(/^\+/, '')}`;
}

function boolCondition(name, text) {
  const word = text.toLowerCase();
  const value = ['true', 'false', 'yes', 'no'].find((each) => each.startsWith(word));
  if (!value) throw new Error("Write 'true' or 'false'.");
  return `${name} == ${value === 'true' || value === 'yes'}`;
}

/** The boxes of a grid. `changed(condition)` hears of what all of them mean; '' for nothing. */
export class Filters {
  constructor(className, changed) {
    this.className = className;
    this.boxes = new Map();
    this.changed = settled(250, () => changed(this.condition));
    this.element = el('div', { class: 'grid-filters', role: 'row', hidden: true });
  }

  get condition() {
    return [...this.boxes.values()].map(({ condition }) => condition).filter(Boolean).join(' AND ');
  }

  toggle(columns, left) {
    this.element.hidden = !this.element.hidden;
    if (this.element.hidden) {
      const hadAny = this.condition;
      this.clear();
      if (hadAny) this.changed();
      return left();
    }
    this.left = left;
    this.draw(columns);
    this.element.querySelector('input')?.focus();
  }

  clear() {
    this.changed.cancel();
    for (const box of this.boxes.values()) {
      box.input.value = '';
      this.#read(box);
    }
  }

  /** Puts the boxes below their columns. */
  draw(columns) {
    if (this.element.hidden) return;
    this.element.style.width = `${columns.width}px`;
    const shown = columns.shown.filter(({ property }) => canFilter(property));
    const inputs = shown.map((column) => this.#place(column, columns));
    for (const input of [...this.element.children]) if (!inputs.includes(input)) input.remove();
    for (const input of inputs) if (!input.isConnected) this.element.append(input);
  }

  #place({ property, x, width, isPinned }, columns) {
    if (!this.boxes.has(property.name)) this.boxes.set(property.name, this.#box(property));
    const { input } = this.boxes.get(property.name);
    input.style.width = `${width - 8}px`;
    input.style.left = `${isPinned ? columns.idWidth + 4 : x + 4}px`;
    return input;
  }

  #box(property) {
    const box = { property, condition: null };
    box.input = el('input', {
      type: 'text', class: 'filter', 'aria-label': `Filter ${plainName(property.name)}`, autocomplete: 'off', spellcheck: 'false',
      placeholder: isNumeric(property) ? '5, >5, 3..8' : property.type === 'bool' ? 'true' : 'contains',
      oninput: () => { this.#read(box); this.changed(); },
      onkeydown: (event) => {
        if (event.key === 'Escape' && box.input.value) {
          box.input.value = '';
          this.#read(box);
          this.changed();
        } else if (['Escape', 'Enter', 'ArrowDown'].includes(event.key)) this.left();
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    });
    return box;
  }

  #read(box) {
    try {
      box.condition = filterCondition(box.property, box.input.value);
      box.input.removeAttribute('aria-invalid');
      box.input.title = box.condition ?? '';
    } catch (error) {
      box.condition = null;
      box.input.setAttribute('aria-invalid', 'true');
      box.input.title = error.message;
    }
  }
}
