// The bar in which conditions are written: problems, completion, history, and how SQLite answers.

import { ask, path, sortText } from './api.js';
import { button, copyText, el, openPopover, settled } from './dom.js';
import { model } from './model.js';
import { keepSetting, setting } from './settings.js';
import { both, pathText, plainName } from './values.js';

const historyLength = 50;

/** `asked(where)` hears of a question, `left()` of Escape. */
export class QueryBar {
  constructor({ className, where, asked, left, tools = [], explains = true }) {
    this.className = className;
    this.asked = asked;
    this.left = left;
    this.where = where;
    this.items = [];
    this.chosen = -1;
    this.past = null;
    this.store = `history:${className}`;
    this.complete = settled(150, () => this.#complete());
    this.#build(tools, explains);
    this.set(where);
  }

  #build(tools, explains) {
    this.mirror = el('div', { class: 'mirror', 'aria-hidden': 'true' });
    this.list = el('ul', { class: 'popover completion', popover: 'manual', role: 'listbox', id: 'completion', 'aria-label': 'Completion' });
    this.field = el('textarea', {
      rows: '1', role: 'combobox', 'aria-label': `Condition for ${plainName(this.className)}`, 'aria-autocomplete': 'list', 'aria-expanded': 'false',
      'aria-controls': 'completion', 'aria-describedby': 'problem', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off',
      placeholder: placeholder(this.className), title: 'Ctrl+F',
      oninput: () => { this.past = null; this.#draw(); this.complete(); },
      onkeydown: (event) => this.#key(event), onblur: () => { this.complete.cancel(); this.#close(); },
    });
    this.erase = button('Remove the condition', () => { this.set(''); this.#ask(); }, { image: 'close' });
    this.problem = el('p', { class: 'problem', id: 'problem', hidden: true });
    this.plan = el('button', { type: 'button', class: 'plan', hidden: true, title: 'How SQLite answers', onclick: () => this.#openPlan() });
    this.element = el('div', { class: 'query' },
      el('div', { class: 'query-line' },
        el('div', { class: 'query-field' }, this.mirror, this.field, this.erase), explains ? this.plan : null, tools),
      this.problem, this.list);
  }

  set(where) {
    this.where = where;
    this.field.value = where;
    this.complete.cancel();
    this.#tellProblem(null);
  }

  focus() {
    this.field.focus();
    this.field.setSelectionRange(this.field.value.length, this.field.value.length);
  }

  /** A condition beside those that are there. */
  add(condition) {
    this.set(both(this.field.value.trim(), condition));
    this.#ask();
  }

  #ask() {
    const where = this.field.value.trim();
    this.where = where;
    this.complete.cancel();
    // An answer of the completion would take the place of a refusal.
    this.request?.abort();
    this.#close();
    if (where) this.#remember(where);
    this.#tellProblem(null);
    this.asked(where);
  }

  get #history() {
    return JSON.parse(setting(this.store) ?? '[]');
  }

  #remember(where) {
    const kept = [where, ...this.#history.filter((other) => other !== where)].slice(0, historyLength);
    keepSetting(this.store, JSON.stringify(kept));
  }

  #key(event) {
    const isOpen = this.items.length > 0;
    const acts = {
      Enter: () => {
        if (event.shiftKey) return false;
        if (isOpen && this.chosen >= 0) this.#accept(this.chosen);
        else this.#ask();
      },
      Tab: () => (isOpen && !event.shiftKey ? this.#accept(Math.max(0, this.chosen)) : false),
      ArrowDown: () => (isOpen ? this.#choose(this.chosen + 1) : this.#recall(-1)),
      ArrowUp: () => (isOpen && this.chosen >= 0 ? this.#choose(this.chosen - 1) : this.#recall(1)),
      Escape: () => {
        if (isOpen) return this.#close();
        if (this.field.value !== this.where) return this.set(this.where);
        this.left?.();
      },
      ' ': () => (event.ctrlKey ? this.#complete() : false),
    };
    if (event.isComposing || !acts[event.key] || acts[event.key]() === false) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Earlier conditions, by the arrows, from the first or last line only. */
  #recall(step) {
    const { value, selectionStart } = this.field;
    if (step > 0 ? value.slice(0, selectionStart).includes('\n') : this.past === null) return false;
    const kept = this.#history;
    const next = (this.past ?? -1) + step;
    if (next >= kept.length) return true;
    this.#close();
    this.past = next < 0 ? null : next;
    this.field.value = next < 0 ? this.where : kept[next];
    this.#tellProblem(null);
    return true;
  }

  // Completion.

  async #complete() {
    const where = this.field.value;
    const at = this.field.selectionStart;
    this.request?.abort();
    this.request = new AbortController();
    const answer = await ask(path('complete', this.className), { where, at }, this.request.signal).catch(() => null);
    if (!answer || where !== this.field.value || document.activeElement !== this.field) return;
    this.#tellProblem(answer.problem);
    this.#offer(answer);
  }

  #offer({ items, from }) {
    if (!items.length || this.field.selectionStart !== this.field.selectionEnd) return this.#close();
    this.from = from;
    this.chosen = -1;
    this.list.replaceChildren(...items.map((item, index) => el('li', {
      role: 'option', id: `completion-${index}`, 'aria-selected': 'false', class: item.kind,
      onpointerdown: (event) => { event.preventDefault(); this.#accept(index); },
    }, el('code', {}, plainName(item.text)), el('small', {}, plainName(item.detail)))));
    if (!this.items.length) this.list.showPopover();
    this.items = items;
    this.field.setAttribute('aria-expanded', 'true');
    this.#placeList();
  }

  #placeList() {
    this.#draw(this.from);
    const mark = this.mirror.querySelector('.mark').getBoundingClientRect();
    this.list.style.left = `${Math.min(mark.left - 9, innerWidth - this.list.offsetWidth - 8)}px`;
    // Below the sentence about a mistake, which is below the line.
    const end = this.problem.hidden ? mark.bottom : Math.max(mark.bottom, this.problem.getBoundingClientRect().bottom);
    this.list.style.top = `${end + 6}px`;
  }

  #choose(index) {
    const count = this.items.length;
    this.chosen = Math.max(-1, Math.min(index, count - 1));
    [...this.list.children].forEach((item, at) => item.setAttribute('aria-selected', String(at === this.chosen)));
    this.list.children[this.chosen]?.scrollIntoView({ block: 'nearest' });
    if (this.chosen >= 0) this.field.setAttribute('aria-activedescendant', `completion-${this.chosen}`);
    else this.field.removeAttribute('aria-activedescendant');
  }

  #accept(index) {
    const { text, kind } = this.items[index];
    const end = this.field.selectionStart;
    const after = this.field.value.slice(end);
    const space = kind !== 'property' && !after.startsWith(' ') ? ' ' : '';
    this.field.setRangeText(text + space, this.from, end, 'end');
    this.#close();
    this.#draw();
    this.complete();
  }

  #close() {
    if (!this.items.length) return;
    this.items = [];
    this.list.hidePopover();
    this.field.setAttribute('aria-expanded', 'false');
    this.field.removeAttribute('aria-activedescendant');
  }

  // Problems.

  /** What is wrong, from `column`, which counts from 1. The end of a word ends the line below it. */
  #tellProblem(problem) {
    this.found = problem;
    this.problem.hidden = !problem;
    this.problem.textContent = problem?.message ?? '';
    const isAtEnd = problem?.column && offsetOf(this.field.value, problem.column - 1) >= this.field.value.trimEnd().length;
    this.problem.classList.toggle('tentative', Boolean(isAtEnd));
    this.problem.classList.remove('asked');
    this.field.setAttribute('aria-invalid', String(Boolean(problem) && !isAtEnd));
    this.#draw();
  }

  /** The refusal of a question that was asked. */
  refuse(error) {
    this.#tellProblem({ message: error.message, column: error.body.column ?? null });
    this.problem.classList.add('asked');
    this.plan.hidden = true;
  }

  /** The text once more, behind the field: it carries the line below a mistake, and the height. */
  #draw(mark = null) {
    const text = this.field.value;
    const start = this.found?.column ? offsetOf(text, this.found.column - 1) : null;
    const length = start === null ? 0 : Math.max(1, /^(?:[\p{L}\p{N}_.@#]+|'[^']*'?|\S)?/u.exec(text.slice(start))[0].length);
    const parts = [];
    let at = 0;
    const upTo = (end) => { parts.push(text.slice(at, end)); at = end; };
    if (mark !== null) {
      upTo(mark);
      parts.push(el('span', { class: 'mark' }, '\u200b'));
    } else if (start !== null) {
      upTo(start);
      parts.push(el('span', { class: 'wrong' }, text.slice(start, start + length) || ' '));
      at = Math.min(text.length, start + length);
    }
    upTo(text.length);
    this.mirror.replaceChildren(...parts, '\u200b');
    this.erase.hidden = !text;
  }

  // How SQLite answers.

  async explain(where, sort) {
    const query = { where, sort: sortText(sort) };
    const answer = await ask(path('explain', this.className), query).catch(() => null);
    this.answer = answer;
    this.plan.hidden = !answer;
    if (!answer) return;
    this.plan.textContent = answer.summary;
    this.plan.classList.toggle('slow', answer.slow);
  }

  #openPlan() {
    const { sql, steps, summary, slow } = this.answer;
    openPopover(this.plan, [
      el('h3', {}, summary[0].toUpperCase() + summary.slice(1)),
      slow ? el('p', {}, 'Each object is looked at. An index of a property in the condition makes this fast: ',
        el('code', {}, '@Persisted(indexed: true)')) : null,
      el('ol', { class: 'steps' }, steps.map((step) => el('li', {}, el('code', {}, step)))),
      el('pre', { tabindex: '0' }, sql),
      el('div', { class: 'buttons' }, button('Copy the SQL', () => copyText(sql, 'the SQL'))),
    ], { kind: 'explained', label: 'How SQLite answers' });
  }
}

/** Where a character is in a text: the server counts them as people do, an emoji as one. */
function offsetOf(text, count) {
  const characters = 'Segmenter' in Intl ? [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment) : [...text];
  return characters.slice(0, count).join('').length;
}

/** An example of a condition, with properties that the class has. */
function placeholder(className) {
  const { properties } = model.classes.get(className);
  const example = (wanted, rest) => {
    const property = properties.find(({ type, name, collection }) => type === wanted && !collection && pathText(name));
    return property && `${pathText(property.name)} ${rest}`;
  };
  const parts = [example('int', '> 3'), example('string', "BEGINSWITH 'A'")].filter(Boolean);
  return parts.length ? `Condition, such as  ${parts.join(' AND ')}` : 'Condition';
}
