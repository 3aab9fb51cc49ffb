// All of a value: the rest of a text that is cut, and the elements that aren't shown.

import { ask, bytes, path, text } from './api.js';
import { model } from './model.js';
import { hexText, isCut, present } from './values.js';

/** A value with all of its text. `at` is the number of an element in a collection. */
export async function whole(property, id, found, at) {
  const value = present(found);
  if (!isCut(value)) return value;
  const query = at === undefined ? '' : `?at=${at}`;
  const all = await text(path('data', property.className, id, property.name) + query);
  if (at !== undefined) expectStart(all, value.type ? value.value.text : value.text);
  return value.type ? { ...value, value: all } : all;
}

/** An element as only it is: also with all of its bytes, where there are few enough for a request. */
export async function exact(property, id, found, at) {
  const value = present(found);
  const data = value?.type ? value.value : value;
  if (!(data?.bytes * 2 > data?.start?.length) || data.bytes > mostBytes) return whole(property, id, found, at);
  const all = await bytes(`${path('data', property.className, id, property.name)}?at=${at}`);
  const hex = hexText(new Uint8Array(await all.arrayBuffer()));
  expectStart(hex, data.start);
  return value.type ? { ...value, value: { hex } } : { hex };
}

const mostBytes = 400000;

/** Elements may have moved since they were shown. */
function expectStart(all, start) {
  if (!all.startsWith(start)) throw new Error('Another program changed the elements meanwhile. Check them before you try again.');
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
