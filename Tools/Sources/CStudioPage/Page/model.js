// What the page knows of the file: its classes, counts and version. Parts of the page hear of
// changes by name, so that none has to know the others.

import { sortText } from './api.js';

const bus = new EventTarget();

export const model = {
  file: null,
  classes: new Map(),
  counts: new Map(),
  version: 0,
  zone: 'local',
};

export const on = (name, heard) => bus.addEventListener(name, (event) => heard(event.detail));
export const tell = (name, detail) => bus.dispatchEvent(new CustomEvent(name, { detail }));

export function takeFile(file) {
  model.file = file;
  model.classes = new Map(file.classes.map((described) => [described.name, {
    ...described,
    properties: described.properties.map((property) => ({ ...property, className: described.name })),
  }]));
  for (const described of model.classes.values()) {
    described.byName = new Map(described.properties.map((property) => [property.name, property]));
  }
}

export const isEmbedded = (className) => model.classes.get(className)?.kind === 'embedded';
export const isWritable = () => model.file?.writable === true;

/** The property that an object is called after, as the server chooses it. */
export const isKey = (property) =>
  model.classes.get(property.className)?.primaryKey === property.name;

// Words that are views in an address. A class with such a name has its first letter encoded.
const views = ['diagram', 'versions', 'problems', 'file'];

function part(className) {
  const encoded = encodeURIComponent(className).replace(/'/g, '%27');
  if (!views.includes(encoded)) return encoded;
  return '%' + encoded.charCodeAt(0).toString(16) + encoded.slice(1);
}

export function address({ view, className, id, where, sort, columns, open }) {
  if (view) return `#/${view}`;
  if (id != null) return `#/${part(className)}/${id}`;
  const query = new URLSearchParams();
  if (where) query.set('where', where);
  if (sort?.length) query.set('sort', sortText(sort));
  if (columns?.length) query.set('columns', columns.map(encodeURIComponent).join(','));
  if (open != null) query.set('open', open);
  const text = query.toString();
  return `#/${part(className)}${text ? '?' + text : ''}`;
}

const decode = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const listed = (text) => (text ? text.split(',').map(decode) : []);

export function readAddress(hash) {
  const [before, after = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [first, id] = before.split('/');
  if (!first) return {};
  if (views.includes(first)) return { view: first };
  const className = decode(first);
  if (id !== undefined) return { className, id: Number(id) };
  const query = new URLSearchParams(after);
  return {
    className,
    where: query.get('where') ?? '',
    sort: listed(query.get('sort')).map((name) => name.startsWith('-')
      ? { name: name.slice(1), descending: true } : { name, descending: false }),
    columns: listed(query.get('columns')),
    open: query.has('open') ? Number(query.get('open')) : null,
  };
}
