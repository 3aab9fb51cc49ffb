// Editing in the page of an object: its properties, embedded objects and collections.

import { putData, tryChange } from './changes.js';
import { button, el, notice, openDialog } from './dom.js';
import { askValue, removeObjects } from './edit.js';
import { askField, drawForm, valueField, zeros } from './fields.js';
import { isKey, isWritable, model } from './model.js';
import { pickObject } from './pick.js';
import { kindOf, plainName } from './values.js';
import { exact, whole } from './whole.js';

/** What the page of an object can do; null where the file is only read. */
export const objectEditing = (object, view) => (isWritable() ? new ObjectEditor(object, view) : null);

const written = (property, value) => (value && property.type === 'object' ? { id: value.id } : value);

class ObjectEditor {
  constructor(object, view) {
    this.object = object;
    this.view = view;
  }

  tools() {
    if (this.object.embedded) return null;
    return button('Delete…', () => removeObjects(this.object.class, [this.object.id]));
  }

  /** Adds to a property what changes it. */
  field(place, property, value, id) {
    const target = { class: property.className, id, property: property.name };
    const kind = kindOf(property);
    const tools = kind === 'collection' ? [this.#adding(property, value, target)]
      : kind === 'embedded' ? this.#embeddedTools(property, value, target)
        : isKey(property) ? [] : [button('Edit', () => this.#edit(property, value, target)),
          property.type === 'data' ? button('File…', () => this.#takeFile(property, id, value)) : null];
    place.append(el('div', { class: 'edit-tools' }, tools));
  }

  async #edit(property, start, target) {
    try {
      const value = await whole(property, target.id, start);
      const to = kindOf(property) === 'link' ? await pickObject(property.target, value) : await askValue(property, value);
      if (to === undefined || (to === null && kindOf(property) === 'link')) return;
      tryChange([{ set: { ...target, was: value, to: written(property, to) } }]);
    } catch (error) {
      notice(error.message);
    }
  }

  #takeFile(property, id, value) {
    const input = el('input', { type: 'file', onchange: async () => {
      try {
        await putData(property.className, id, property.name, input.files[0], value);
      } catch (error) {
        notice(error.message);
      }
    } });
    input.click();
  }

  #embeddedTools(property, value, target) {
    if (value) return property.optional ? [button('Remove', () => tryChange([{ set: { ...target, was: value, to: null } }]))] : [];
    return [button('New', async () => {
      const values = await askEmbedded(property.target);
      if (values) tryChange([{ set: { ...target, was: null, to: { values } } }]);
    })];
  }

  // Collections.

  #adding(property, value, target) {
    return button('Add', async () => {
      const key = property.collection === 'map' ? await askKey(property) : null;
      if (key === null && property.collection === 'map') return;
      const added = await this.#askElement(property, property.optional ? null : zeros[property.type]);
      if (added === undefined) return;
      tryChange([property.collection === 'map' ? { setKey: { ...target, key, to: added, new: true } }
        : { insert: { ...target, value: added, ...(property.collection === 'list' ? { at: value.count } : {}) } }]);
    });
  }

  /** A value for an element, as it is written; undefined where none was given. */
  async #askElement(property, value) {
    const single = { ...property, collection: null };
    if (kindOf(single) === 'embedded') {
      const values = await askEmbedded(property.target);
      return values ? { values } : undefined;
    }
    if (kindOf(single) === 'link') {
      const link = await pickObject(property.target);
      return link ? { id: link.id } : undefined;
    }
    const isText = property.type === 'string' || property.type === 'mixed';
    const field = valueField(single, value, { pick: pickObject, lines: isText });
    const answer = await askField(plainName(property.name), field, isText ? 'wide' : '');
    return answer === null ? undefined : answer.value;
  }

  /** Adds to an element what changes, moves and removes it. */
  element(item, property, element, id) {
    const target = { class: property.className, id, property: property.name };
    const was = written(property, element.value);
    const { at, key } = element;
    const kinds = {
      list: { set: (was, to) => [{ setAt: { ...target, at, was, to } }], remove: { remove: { ...target, at, was } } },
      map: { set: (was, to) => [{ setKey: { ...target, key, was, to } }], remove: { removeKey: { ...target, key, was } } },
    };
    const changes = kinds[property.collection] ?? {};
    const position = () => [...item.parentElement.children].indexOf(item);
    // Elements of a set are known by their values only: two may begin alike.
    const removed = async () => (property.collection === 'set'
      ? [{ remove: { ...target, value: written(property, await exact(property, id, element.value, position())) } }]
      : [changes.remove]);
    const edit = async () => {
      try {
        const value = await whole(property, id, element.value, position());
        const [first] = await removed();
        const to = await this.#askElement(property, value);
        if (to === undefined) return;
        tryChange(property.collection === 'set' ? [first, { insert: { ...target, value: to } }] : changes.set(written(property, value), to));
      } catch (error) {
        notice(error.message);
      }
    };
    const remove = async () => {
      try {
        tryChange(await removed());
      } catch (error) {
        notice(error.message);
      }
    };
    item.append(el('span', { class: 'edit-tools' },
      element.value?.object ? null : button('Edit', edit), button('Remove', remove, { image: 'close' })));
    if (property.collection === 'list') this.#makeMovable(item, target, at, was);
  }

  /** Elements of a list move by Alt and an arrow, or by dragging. */
  #makeMovable(item, target, at, was) {
    const name = `${target.class} ${target.id} ${target.property}`;
    const move = (to) => {
      const moved = () => [...this.view.element.querySelectorAll('li[draggable]')].find((other) => other.list === name && other.at === to);
      this.view.afterDrawing = () => moved()?.focus();
      tryChange([{ move: { ...target, from: at, to, was } }]);
    };
    Object.assign(item, { list: name, at });
    item.tabIndex = 0;
    item.draggable = true;
    item.addEventListener('keydown', (event) => {
      const to = at + ({ ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0);
      if (!event.altKey || to === at || to < 0 || event.target !== item) return;
      event.preventDefault();
      if (to < item.parentElement.children.length) move(to);
    });
    item.addEventListener('dragstart', (event) => { event.dataTransfer.setData('text/plain', ''); dragged = item; });
    item.addEventListener('dragover', (event) => { if (dragged?.list === name) event.preventDefault(); });
    item.addEventListener('drop', (event) => {
      event.preventDefault();
      if (dragged?.list === name && dragged !== item) dragged.moveTo(at);
      dragged = null;
    });
    item.moveTo = move;
  }
}

let dragged = null;

async function askKey(property) {
  const field = valueField({ name: 'key', type: 'string' }, '');
  const answer = await askField(`Key in ${plainName(property.name)}`, field);
  return answer?.value ?? null;
}

/** The values of a new embedded object; links and collections are added afterwards. */
async function askEmbedded(className) {
  const asked = model.classes.get(className).properties.filter(({ collection, type }) => !collection && !['object', 'data'].includes(type));
  const fields = asked.map((property) => [property, valueField(property, property.optional ? null : zeros[property.type], { pick: pickObject })]);
  const read = () => Object.fromEntries(fields.map(([property, field]) => [property.name, field.read()]));
  return openDialog(`New ${plainName(className)}`, drawForm(fields), [{ text: 'Cancel', value: null }, { text: 'Add', main: true, run: read }],
    { kind: 'wide', opened: () => fields[0]?.[1].focus() });
}
