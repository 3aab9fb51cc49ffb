// An object with all it has: its values in full, embedded objects inside, and what links to it.

import { ask, bytes, path } from './api.js';
import { button, copyText, counted, el, grouped, notice, openMenu, saveBlob } from './dom.js';
import { address, isKey, model } from './model.js';
import { objectEditing } from './objectedit.js';
import { swiftText } from './swift.js';
import { changedMark, chip, condition, hexText, imageType, isCut, jsonObject, kindOf, pathText, plainName, present, safeText, shown, thumbnail } from './values.js';
import { wholeValues } from './whole.js';

/** An object that is shown, and read again after commits. `follow(className, id)` hears of links. */
export class ObjectView {
  constructor(className, id, follow) {
    Object.assign(this, { className, id });
    this.element = el('div', { class: 'object', onclick: (event) => followChip(event, follow) });
  }

  /** Reads the object, and draws it where it is another than before: what was unfolded stays. */
  async read(signal) {
    const { className, id } = this;
    const object = await ask(path('object', className, id), undefined, signal);
    const text = JSON.stringify([object.label, object.values, object.incoming]);
    if (text === this.text) return;
    const editor = objectEditing(object, this);
    const changed = this.object ? changedColumns(this.object, object) : [];
    Object.assign(this, { text, object });
    this.element.replaceChildren(...[
      head(object, editor),
      fields(model.classes.get(className).properties, object.columns, object.values, id, { editor, changed }),
      incoming(object),
    ].filter(Boolean));
    this.afterDrawing?.();
    this.afterDrawing = null;
  }

  showGone(error) {
    this.text = null;
    const all = el('a', { href: address({ className: this.className }) }, 'All objects of the class');
    this.element.replaceChildren(el('p', { class: 'gone' }, error.message), all);
  }
}

const changedColumns = (old, object) =>
  object.columns.filter((_, index) => JSON.stringify(old.values[index]) !== JSON.stringify(object.values[index]));

function head(object, editor) {
  const { class: className, id } = object;
  const copyAs = (text) => copyText(wholeValues(className, id, object.columns, object.values).then(text), 'the object');
  const copy = button('Copy', () => openMenu(copy, [
    { text: 'Copy as JSON', run: () => copyAs((values) => JSON.stringify(jsonObject(object.columns, values), null, 2)) },
    { text: 'Copy as Swift', run: () => copyAs((values) => swiftText({ ...object, values })) },
  ]));
  return el('header', { class: 'object-head' },
    el('div', {}, el('a', { class: 'dim', href: address({ className }) }, plainName(className)), el('span', { class: 'dim' }, ` ${id}`)),
    el('h2', {}, safeText(object.label ?? `${className} ${id}`)), el('div', { class: 'tools' }, copy, editor?.tools()));
}

function followChip(event, follow) {
  const link = event.target.closest('a.chip');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  follow(link.dataset.class, Number(link.dataset.id));
}

// Properties.

function fields(properties, columns, values, id, scene, path = []) {
  return el('dl', { class: 'fields' }, properties.map((property) => {
    const found = values[columns.indexOf(property.name)];
    const value = present(found);
    const isChanged = !path.length && scene.changed.includes(property.name);
    const whole = value?.object ? 'whole' : '';
    const content = el('dd', { class: `${whole} ${isChanged ? 'modified' : ''}` }, changedMark(found), fieldContent(property, value, id, scene, path));
    scene.editor?.field(content, property, value, id);
    return [el('dt', { class: whole, title: plainName(property.swiftType) }, el('span', {}, plainName(property.name)),
      isKey(property) ? el('small', { class: 'key' }, 'key') : null, el('small', {}, plainName(property.swiftType))), content];
  }));
}

function fieldContent(property, value, id, scene, path) {
  if (value && kindOf(property) === 'collection') return collection(property, value, id, scene, path);
  if (value?.object) return embedded(property.target, value, scene, path.concat(property.name));
  if (value && property.type === 'data' && !('invalid' in value)) return data(property, value, id);
  const content = [shown(property, value, { id, full: true })];
  if (isCut(value)) {
    const save = button('Save all of it', () => saveData(property, id));
    content.push(el('p', { class: 'dim' }, `… ${grouped((value.value ?? value).length)} characters. `, save));
  }
  return content;
}

function embedded(className, value, scene, path) {
  const { columns, values } = value.object;
  return el('div', { class: 'inside' }, fields(model.classes.get(className).properties, columns, values, value.id, scene, path.concat('')));
}

function data(property, value, id) {
  const image = imageType(value) ? thumbnail(property, id, value, { size: 2e7, delay: 0 }) : null;
  image?.classList.add('large');
  return el('div', { class: 'data' }, image, shown(property, value, { full: true }),
    value.bytes ? [el('code', { class: 'dim' }, value.start.replace(/../g, '$& ').trim() + (value.bytes > value.start.length / 2 ? '…' : '')),
      button('Save as…', () => saveData(property, id))] : null);
}

async function saveData(property, id) {
  try {
    const blob = await bytes(path('data', property.className, id, property.name));
    const start = blob.size > 4 ? hexText(new Uint8Array(await blob.slice(0, 4).arrayBuffer())) : '';
    const ending = imageType({ start })?.slice(6) ?? (property.type === 'string' ? 'txt' : 'bin');
    saveBlob(blob, `${plainName(property.className)}-${id}-${plainName(property.name)}.${ending}`);
  } catch (error) {
    notice(error.message);
  }
}

function collection(property, value, id, scene, path) {
  const list = el('ol', { class: `elements ${property.collection}` });
  const add = (elements) => list.append(...elements.map((element) => elementItem(property, element, id, scene, path)));
  add(value.first ?? []);
  const rest = el('div', { class: 'rest' });
  let after = null;
  const more = async () => {
    const isFirst = after === null;
    const answer = await ask(pathOf(property, id), { limit: 100, ...(isFirst ? {} : { after }) });
    if (isFirst) list.replaceChildren();
    add(answer.elements);
    after = answer.last;
    offer(answer.count - list.children.length);
  };
  const offer = (count) => rest.replaceChildren(...(count > 0 ? [button(`${grouped(count)} more`, more)] : []));
  offer(value.count - list.children.length);
  const head = value.count ? counted(value.count, property.type === 'object' ? 'object' : 'value') : el('span', { class: 'none' }, 'empty');
  return el('div', {}, el('span', { class: 'count' }, head), list, rest);
}

const pathOf = (property, id) => path('collection', property.className, id, property.name);

function elementItem(property, element, id, scene, path) {
  const single = { ...property, collection: null };
  const content = element.value?.object ? embedded(property.target, element.value, scene, path.concat(property.name))
    : shown(single, element.value, { id, full: !isCut(element.value) });
  const label = 'key' in element ? el('span', { class: 'element-key' }, safeText(element.key))
    : 'at' in element ? el('span', { class: 'element-key' }, grouped(element.at)) : null;
  const item = el('li', {}, label, el('span', { class: 'element' }, content));
  scene.editor?.element(item, property, element, id);
  return item;
}

// Links to the object.

function incoming(object) {
  const some = object.incoming.filter(({ count }) => count > 0);
  if (!object.incoming.length) return null;
  return el('section', { class: 'incoming' }, el('h3', {}, object.embedded ? 'Inside of' : 'Linked from'),
    some.length ? some.map((source) => incomingSource(object, source)) : el('p', { class: 'none' }, 'No object links to this one.'));
}

function incomingSource(object, source) {
  const links = el('div', { class: 'chips' });
  const rest = el('span');
  let after = null;
  const add = (added) => links.append(...added.map((link) => chip(source.class, link)));
  const offer = () => rest.replaceChildren(...(source.count > links.children.length && after !== undefined
    ? [button(`${grouped(source.count - links.children.length)} more`, more)] : []));
  const more = async () => {
    if (after === null) links.replaceChildren();
    const answer = await ask(path('incoming', object.class, object.id, source.class, source.property), after === null ? {} : { after });
    add(answer.links);
    after = answer.last ?? undefined;
    offer();
  };
  add(source.first);
  offer();
  const where = incomingCondition(object, source);
  return el('div', {}, el('h4', {}, `${plainName(source.class)}.${plainName(source.property)} `, el('span', { class: 'dim' }, grouped(source.count)),
    where ? el('a', { class: 'as-grid', href: address({ className: source.class, where }) }, 'as a grid') : null), links, rest);
}

/** Where objects have a key of a simple type, a condition finds those that link to one. */
function incomingCondition(object, source) {
  const described = model.classes.get(object.class);
  const key = described.byName.get(described.primaryKey);
  const property = model.classes.get(source.class)?.byName.get(source.property);
  const name = property && pathText(property.name);
  const text = key && name && condition(key, present(object.values[object.columns.indexOf(key.name)]));
  if (!text) return null;
  return `${property.collection ? 'ANY ' : ''}${name}.${text}`;
}
