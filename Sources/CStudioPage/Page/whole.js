// All of a value: the rest of a text that is cut, and the elements that aren't shown.

import { ask, path, text } from './api.js';
import { model } from './model.js';
import { isCut, present } from './values.js';

/** A value with all of its text. `at` is the number of an element in a collection. */
export async function whole(property, id, found, at) {
  const value = present(found);
  if (!isCut(value)) return value;
  const query = at === undefined ? '' : `?at=${at}`;
  const all = await text(path('data', property.className, id, property.name) + query);
  return value.type ? { ...value, value: all } : all;
}

/** The values of an object, with all of their texts, elements and embedded objects. */
export async function wholeValues(className, id, columns, values) {
  const { byName } = model.classes.get(className);
  const all = [];
  for (const [index, name] of columns.entries()) all.push(await wholeValue(byName.get(name), id, values[index]));
  return all;
}

async function wholeValue(property, id, found, at) {
  const value = present(found);
  if (value?.object) {
    const { columns, values } = value.object;
    return { ...value, object: { columns, values: await wholeValues(property.target, value.id, columns, values) } };
  }
  return value?.first ? { ...value, first: await wholeElements(property, id, value) } : whole(property, id, value, at);
}

async function wholeElements(property, id, { count, first }) {
  const elements = first.length < count ? await allElements(property, id) : first;
  const all = [];
  for (const [at, element] of elements.entries()) {
    all.push({ ...element, value: await wholeValue({ ...property, collection: null }, id, element.value, at) });
  }
  return all;
}

async function allElements(property, id) {
  const all = [];
  let after = null;
  do {
    const answer = await ask(path('collection', property.className, id, property.name), { limit: 400, ...(after === null ? {} : { after }) });
    all.push(...answer.elements);
    after = answer.last;
  } while (after !== null);
  return all;
}
