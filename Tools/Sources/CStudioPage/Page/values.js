// How values are shown, copied and written in conditions.

import { bytes, path } from './api.js';
import { el, grouped, sizeText } from './dom.js';
import { address, isEmbedded, model } from './model.js';

// Joiners are a part of emoji and of words; other marks are invisible, or turn the direction.
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Cn}]|(?![\u200c\u200d])\p{Cf}/u;
const images = [['89504e47', 'image/png'], ['ffd8ff', 'image/jpeg'], ['47494638', 'image/gif'], ['52494646', 'image/webp']];

/** A word for how a column is laid out and sorted. */
export function kindOf(property) {
  if (property.collection) return 'collection';
  if (property.type === 'object') return isEmbedded(property.target) ? 'embedded' : 'link';
  return property.type;
}

export const isNumeric = (property) =>
  !property.collection && ['int', 'float', 'double', 'decimal'].includes(property.type);
const isStart = (value) => typeof value === 'object' && value !== null && 'length' in value;
/** Whether a copy has a value in another form than the file of Realm. */
const isChanged = (value) => typeof value === 'object' && value !== null && 'changed' in value;
/** The value that the copy has. */
export const present = (value) => (isChanged(value) ? value.changed : value);

/** The sign of such a value, which says what the file of Realm has; nothing for others. */
export function changedMark(value) {
  if (!isChanged(value)) return null;
  const text = `In the file of Realm: ${value.original}`;
  return el('span', { class: 'differs', role: 'img', 'aria-label': text, title: text }, '≈');
}

/** Whether only the start of a text is there; also of one in an AnyRealmValue. */
export const isCut = (value) => isStart(value) || isStart(value?.type && value.value);
const isInvalid = (value) => typeof value === 'object' && value !== null && 'invalid' in value;

const escaped = (character) => {
  const named = { '\n': '↵', '\t': '\\t', '\r': '\\r' }[character];
  return named ?? `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`;
};

/** Text on one line. Characters that can't be seen are shown in a box, as Swift writes them. */
export function safeText(text, { lines = false } = {}) {
  const box = el('bdi');
  let plain = '';
  for (const character of text) {
    if (!unsafe.test(character) || (lines && character === '\n')) {
      plain += character;
      continue;
    }
    if (plain) box.append(plain);
    plain = '';
    box.append(el('span', { class: 'escape' }, escaped(character)));
  }
  box.append(plain);
  return box;
}

/** Bytes as hexadecimal digits. */
export const hexText = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** A name of a file, class or property, which may have any character. */
export const plainName = (name) =>
  [...name].map((character) => (unsafe.test(character) ? escaped(character) : character)).join('');

export function numberText(value, type) {
  if (typeof value === 'string') {
    return type === 'int' ? value.replace(/\B(?=(\d{3})+$)/g, ',') : value;
  }
  if (type === 'int') return grouped(value);
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${Object.is(value, -0) ? '-0' : value}.0` : String(value);
}

const formats = new Map();

function zoneFormat(zone) {
  if (!formats.has(zone)) {
    formats.set(zone, new Intl.DateTimeFormat('en', {
      timeZone: zone === 'local' ? undefined : zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit',
      hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'shortOffset',
    }));
  }
  return formats.get(zone);
}

export const zoneName = (zone) =>
  zone === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone;

/** A date of the file in the zone of the page; the fraction of its second only where it is asked. */
export function dateText(text, { fraction = false } = {}) {
  const match = /^(\d{4})-(\d\d)-(\d\d) (\d\d:\d\d:\d\d)(\.\d+)?$/.exec(text);
  const digits = match && fraction && Number(match[5] ?? 0) ? match[5].replace(/0+$/, '') : '';
  const time = match ? Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}Z`) : NaN;
  // The calendar of the browser counts years before 1 as those of another era.
  if (Number.isNaN(time) || match[1] < '0002') return `${text.slice(0, 19)}${digits} UTC`;
  const part = Object.fromEntries(zoneFormat(model.zone).formatToParts(time).map(({ type, value }) => [type, value]));
  const offset = part.timeZoneName.replace('GMT', '').replace('−', '-').replace(/^([+-])(\d)(?!\d)/, '$10$2');
  return `${part.year.padStart(4, '0')}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second}${digits} ${offset || 'UTC'}`;
}

const nil = () => el('i', { class: 'nil' }, 'nil');

function countText(property, count) {
  if (count === 0) return el('span', { class: 'none' }, 'empty');
  const what = property.type === 'object' ? plainName(property.target) : count === 1 ? 'value' : 'values';
  return `${grouped(count)} ${what}`;
}

/** A chip that leads to an object. */
export function chip(className, link, { kind = '' } = {}) {
  return el('a', {
    class: `chip ${kind}`, href: address({ className, id: link.id }), tabindex: '-1',
    'data-class': className, 'data-id': link.id, title: `${plainName(className)} ${link.id}`,
  }, safeText(link.label ?? `${className} ${link.id}`));
}

function invalid(value) {
  return el('span', { class: 'invalid', title: value.problem ?? 'This value is none of its type.' }, safeText(String(value.invalid)));
}

export const imageType = (value) =>
  images.find(([start]) => value.start?.startsWith(start))?.[1];

/** A picture of the bytes; read when it is still shown after a moment. */
export function thumbnail(property, id, value, { size = 1e6, delay = 150 } = {}) {
  const type = imageType(value);
  if (!type || value.bytes > size) return null;
  const image = el('img', { class: 'thumbnail', alt: '' });
  setTimeout(async () => {
    if (!image.isConnected) return;
    const blob = await bytes(path('data', property.className, id, property.name)).catch(() => null);
    if (!blob) return;
    image.addEventListener('load', () => URL.revokeObjectURL(image.src));
    image.addEventListener('error', () => image.remove());
    image.src = URL.createObjectURL(new Blob([blob], { type }));
  }, delay);
  return image;
}

function scalar(type, value, { full }) {
  switch (type) {
    case 'bool': return el('span', { class: value ? '' : 'none' }, String(value));
    case 'int': case 'float': case 'double': case 'decimal': return numberText(value, type);
    case 'date': return el('span', { title: `${value} UTC`, class: 'date' }, dateText(value, { fraction: full }));
    case 'uuid': case 'object id': return el('code', { title: value }, full || value.length <= 14 ? value : value.slice(0, 13) + '…');
    case 'data': return sizeText(value.bytes);
    case 'list': case 'dictionary': return el('code', {}, safeText(isCut(value) ? value.text + '…' : value));
    default: {
      if (typeof value === 'string') return value === '' ? el('span', { class: 'none' }, '""') : safeText(value, { lines: full });
      return safeText(value.text + (full ? '' : '…'), { lines: full });
    }
  }
}

/**
 * What shows a value: nodes or text. `id` is the object it belongs to, for pictures; `full` shows
 * all of it, as the page of an object does.
 */
export function shown(property, value, { id, full = false } = {}) {
  if (value === null || value === undefined) return nil();
  if (isInvalid(value)) return invalid(value);
  if (isChanged(value)) return [changedMark(value), shown(property, value.changed, { id, full })];
  switch (kindOf(property)) {
    case 'collection': return 'count' in value ? countText(property, value.count) : shown({ ...property, collection: null }, value, { full });
    case 'link': return chip(property.target, value);
    case 'embedded': return chip(property.target, value, { kind: 'embedded' });
    case 'mixed': return el('span', { class: 'mixed' },
      value.type === 'object' ? chip(value.value.class, value.value) : scalar(value.type, value.value, { full }), el('small', {}, value.type));
    case 'data': return el('span', { class: 'data' }, full ? null : thumbnail(property, id, value), sizeText(value.bytes));
    default: return scalar(property.type, value, { full });
  }
}

/** A value as text, for cells of other programs. */
export function copied(property, value) {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (isInvalid(value)) return String(value.invalid);
  if (isChanged(value)) return copied(property, value.changed);
  if ('text' in value) return value.text;
  if ('label' in value) return value.label;
  if ('count' in value) return String(value.count);
  if ('bytes' in value) return value.start;
  if ('type' in value) return copied(property, value.value);
  return JSON.stringify(value);
}

/** A value as JSON for people: links as their label and identity, texts as far as they are known. */
export function jsonValue(value) {
  if (value === null || typeof value !== 'object') return value;
  if ('invalid' in value) return value.invalid;
  if (isChanged(value)) return jsonValue(value.changed);
  if ('length' in value && 'text' in value) return value.text;
  if ('object' in value) return jsonObject(value.object.columns, value.object.values);
  if ('first' in value) {
    const keyed = value.first.some((element) => 'key' in element);
    return keyed ? Object.fromEntries(value.first.map((element) => [element.key, jsonValue(element.value)]))
      : value.first.map((element) => jsonValue(element.value));
  }
  if ('type' in value && 'value' in value) return jsonValue(value.value);
  return value;
}

export const jsonObject = (columns, values) =>
  Object.fromEntries(columns.map((name, index) => [name, jsonValue(values[index])]));

const reserved = new Set(('and or not any some none all truepredicate falsepredicate in between contains beginswith endswith like matches '
  + 'text geowithin self subquery true yes false no null nil first last size sort distinct limit').split(' '));

export const quoted = (text) => "'" + text.replace(/['\\]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t').replace(/\r/g, '\\r')
  .replace(/[\x00-\x1f\x7f-\x9f]/g, (control) => '\\u' + control.charCodeAt(0).toString(16).padStart(4, '0')) + "'";

function literal(type, value) {
  if (value === null) return 'nil';
  if (type === 'bool') return String(value);
  if (type === 'int') return String(value);
  if ((type === 'double' || type === 'float') && typeof value === 'number') return numberText(value, 'double');
  if (type === 'string' && typeof value === 'string') return quoted(value);
  return null;
}

/** A name as conditions have it; null where they can't. */
export function pathText(name) {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) return null;
  return reserved.has(name.toLowerCase()) ? `#${name}` : name;
}

/** What two conditions say, each of which may be ''. */
export const both = (one, other) =>
  (one && other ? `${/\bOR\b|\|\|/i.test(one) ? `(${one})` : one} AND ${other}` : one || other);

/** A condition for a value, or null where the language has no literal for it. */
export function condition(property, value, operator = '==') {
  const name = pathText(property.name);
  if (!name) return null;
  if (property.collection) {
    return value && 'count' in value ? `${name}.@count ${operator} ${value.count}` : null;
  }
  if (property.type === 'mixed' && value !== null) {
    const text = ['int', 'bool', 'double', 'string'].includes(value.type) ? literal(value.type, value.value) : null;
    return text && `${name} ${operator} ${text}`;
  }
  if (property.type === 'object' && value !== null) return linkCondition(name, property.target, value, operator);
  const text = literal(property.type, value);
  return text && `${name} ${operator} ${text}`;
}

const usualNames = ['name', 'title', 'label', 'fullName'];
// The server cuts longer labels.
const longestLabel = 80;

const textsOf = (className) =>
  (model.classes.get(className)?.properties ?? []).filter(({ type, collection }) => type === 'string' && !collection).map(({ name }) => name);

/** The text that objects of a class are usually called after; undefined where there is none. */
export const usualLabel = (className) => usualNames.find((name) => textsOf(className).includes(name));

/** Objects have no literal. Where the label is all of a usual text, it says nearly the same. */
function linkCondition(name, className, link, operator) {
  const labelled = usualLabel(className);
  // An object without that text is called after its class.
  const isText = link.label && link.label !== `${className} ${link.id}` && [...link.label].length < longestLabel;
  return labelled && isText ? `${name}.${labelled} ${operator} ${quoted(link.label)}` : null;
}

/** What an object is called, by the rule of the server. */
export function labelOf(className, row) {
  const { properties, primaryKey } = model.classes.get(className);
  const label = usualLabel(className) ?? primaryKey ?? textsOf(className)[0];
  const index = properties.findIndex(({ name }) => name === label);
  return copied(properties[index], row.values[index]) || `${className} ${row.id}`;
}
