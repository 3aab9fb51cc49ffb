// Fields in which values are written, by type. Each reads what was typed as a value of the wire, or
// throws the sentence that says why it can't.

import { ask, path } from './api.js';
import { button, el, openDialog } from './dom.js';
import { isKey, model } from './model.js';
import { dateText, hexText, isNumeric, kindOf, numberText, plainName, zoneName } from './values.js';

/** Values that nobody types: each is another one. */
export const made = {
  uuid: () => crypto.randomUUID().toUpperCase(),
  'object id': () => Math.floor(Date.now() / 1000).toString(16).padStart(8, '0') + hexText(crypto.getRandomValues(new Uint8Array(8))),
};

/** What a new object has where nothing was said. */
export const zeros = {
  int: 0, bool: false, float: 0, double: 0, string: '', date: '1970-01-01 00:00:00.000000000', data: { bytes: 0, start: '' },
  get uuid() { return made.uuid(); },
  get 'object id'() { return made['object id'](); },
  decimal: '0',
};

// Dates.

/** How far a zone is from UTC at a moment, in milliseconds. */
function offsetAt(time, zone) {
  const shown = new Intl.DateTimeFormat('en', { timeZone: zone === 'local' ? undefined : zone, timeZoneName: 'longOffset' })
    .formatToParts(time).find(({ type }) => type === 'timeZoneName').value;
  const match = /([+-−])(\d\d):(\d\d)(?::(\d\d))?/.exec(shown);
  if (!match) return 0;
  return (match[1] === '+' ? 1 : -1) * ((match[2] * 60 + Number(match[3])) * 60 + Number(match[4] ?? 0)) * 1000;
}

/** A date as typed: as it is shown, or ISO 8601; without a zone it is in that of the page. */
function readDate(text) {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?\d*)?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i.exec(text.trim());
  if (!match) throw new Error(`'${text}' is no date. Write it as 2024-02-29 13:00:00, or with a zone: 2024-02-29 12:00:00Z.`);
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = match;
  const plain = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(plain) || new Date(plain).getUTCDate() !== Number(day)) throw new Error(`There is no such day or time: ${text}.`);
  const sign = zone && /^[+-](\d\d):?(\d\d)?$/.exec(zone);
  const offset = sign ? (zone[0] === '-' ? -1 : 1) * (sign[1] * 60 + Number(sign[2] ?? 0)) * 60000
    : zone ? 0 : offsetAt(plain - offsetAt(plain, model.zone), model.zone);
  const iso = new Date(plain - offset).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${(fraction || '.').padEnd(10, '0')}`;
}

// Reading of typed text.

function readInt(text) {
  const digits = text.replace(/[\s,_']/g, '');
  if (!/^[+-]?\d+$/.test(digits)) throw new Error(`'${text}' is no Int.`);
  const number = BigInt(digits);
  if (BigInt.asIntN(64, number) !== number) throw new Error(`${text} needs more than 64 bits.`);
  return Number.isSafeInteger(Number(number)) ? Number(number) : String(number);
}

function readDouble(text) {
  const typed = text.trim();
  if (/^[+-]?inf(inity)?$/i.test(typed)) return typed.startsWith('-') ? '-Infinity' : 'Infinity';
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(typed)) throw new Error(`'${text}' is no number. Write it with a point: 1.5.`);
  if (!Number.isFinite(Number(typed))) throw new Error(`${typed} is more than a Double can hold. Write 'inf' for infinity.`);
  return Number(typed);
}

function readBool(text) {
  const word = text.trim().toLowerCase();
  if (['true', 'yes', '1'].includes(word)) return true;
  if (['false', 'no', '0'].includes(word)) return false;
  throw new Error(`'${text}' is no Bool. Write 'true' or 'false'.`);
}

function readHex(text) {
  const hex = text.replace(/\s/g, '').toLowerCase();
  if (!/^([0-9a-f]{2})*$/.test(hex)) throw new Error('Bytes are written as pairs of hexadecimal digits.');
  if (hex.length > 8192) throw new Error('More than 4 kB are taken from a file.');
  return { hex };
}

function matching(pattern, what, change) {
  return (text) => {
    if (!pattern.test(text.trim())) throw new Error(`'${text}' is no ${what}.`);
    return change(text.trim());
  };
}

function readJSON(text) {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new Error(`This is no JSON: ${error.message}`);
  }
  return text;
}

const read = {
  int: readInt, float: readDouble, double: readDouble, date: readDate, data: readHex, string: (text) => text, list: readJSON, dictionary: readJSON,
  bool: readBool,
  decimal: matching(/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$|^nan$|^[+-]?inf(inity)?$/i, 'Decimal128', (text) => text),
  uuid: matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'UUID', (text) => text.toUpperCase()),
  'object id': matching(/^[0-9a-f]{24}$/i, 'ObjectId', (text) => text.toLowerCase()),
};

/** A value as text that its own reader takes. */
function editText(type, value) {
  if (value === null || value === undefined) return '';
  if (type === 'date') return dateText(value, { fraction: true });
  if (type === 'data') return value.bytes <= 16 ? value.start.replace(/../g, '$& ').trim() : '';
  if (type === 'int') return String(value);
  if (type === 'float' || type === 'double') return numberText(value, type);
  return String(value);
}

export const readText = (type, text) => read[type](text);

// Fields.

/**
 * A field for a value: `{ element, focus, read }`. An untouched field reads the value it was made
 * with, with all digits that aren't shown.
 */
export function valueField(property, value, { lines = false, pick } = {}) {
  const kind = kindOf({ ...property, collection: null });
  if (kind === 'mixed') return mixedField(property, value, { lines, pick });
  if (kind === 'link') return linkField(property.target, value, pick);
  if (property.type === 'bool') return choiceField(property, value);
  return textField(property, value, lines);
}

function textField(property, value, lines) {
  const ends = lineEnds(property.type, value);
  const start = ends.shown(editText(property.type, value));
  const isText = property.type === 'string' || property.type === 'list' || property.type === 'dictionary';
  const input = lines && isText ? el('textarea', { rows: '8' }) : el('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
  input.value = start;
  // A field has other ends of lines than a text may have.
  const untouched = input.value;
  input.setAttribute('aria-label', plainName(property.name));
  if (property.optional) input.placeholder = 'nil';
  if (isNumeric(property)) input.classList.add('right');
  const extra = [
    made[property.type] ? button('new', () => { input.value = made[property.type](); input.focus(); }) : null,
    property.type === 'date' ? el('small', {}, zoneName(model.zone)) : null,
  ].filter(Boolean);
  input.addEventListener('focus', () => offerFrequent(property, input), { once: true });
  return {
    element: extra.length ? el('span', { class: 'field' }, input, extra) : input, input,
    focus: () => { input.focus(); input.select(); },
    read: () => {
      if (input.value === untouched && value !== undefined) return value;
      if (input.value === '' && property.optional) return null;
      return read[property.type](ends.read(input.value));
    },
  };
}

/**
 * The ends of lines of a text, for a field that has but one kind of them. Where they are mixed, each
 * carriage return is shown as a sign.
 */
function lineEnds(type, value) {
  const same = { shown: (text) => text, read: (text) => text };
  if (type !== 'string' || typeof value !== 'string' || !value.includes('\r')) return same;
  const has = (pattern) => pattern.test(value);
  for (const end of ['\r\n', '\r']) {
    const others = end === '\r' ? /\n/ : /\r(?!\n)|(?<!\r)\n/;
    if (!has(others)) return { shown: (text) => text.replaceAll(end, '\n'), read: (text) => text.replaceAll('\n', end) };
  }
  return {
    shown: (text) => text.replaceAll('\r', '␍'),
    read: (text) => {
      if (value.includes('␍')) throw new Error("This text has carriage returns beside their sign '␍': it can't be edited here.");
      return text.replaceAll('␍', '\r');
    },
  };
}

/** A list of words to choose from, of which one is chosen. */
const choice = (label, words, chosen) => el('select', { 'aria-label': label },
  words.map((word) => el('option', { value: word, selected: word === chosen }, plainName(word))));

function choiceField(property, value) {
  const words = property.optional ? ['true', 'false', 'nil'] : ['true', 'false'];
  const input = choice(plainName(property.name), words, String(value ?? 'nil'));
  return { element: input, input, focus: () => input.focus(), read: () => (input.value === 'nil' ? null : input.value === 'true') };
}

function linkField(className, value, pick) {
  let link = value ?? null;
  const label = el('span', { class: 'picked' });
  const show = () => { label.textContent = link ? plainName(link.label ?? `${className} ${link.id}`) : 'nil'; };
  const choose = button('Choose…', async () => {
    const chosen = await pick(className);
    if (chosen) link = chosen;
    show();
  });
  show();
  return {
    element: el('span', { class: 'field' }, label, choose, button('nil', () => { link = null; show(); })), input: choose,
    focus: () => choose.focus(), read: () => link && { id: link.id, label: link.label },
  };
}

const mixedTypes = [
  'nil', 'int', 'bool', 'double', 'float', 'string', 'date', 'uuid', 'object id', 'decimal', 'data', 'list', 'dictionary', 'object',
];
const mixedZeros = { ...zeros, list: '[]', dictionary: '{}', object: null };

/** First the type, then a field for it. */
function mixedField(property, value, options) {
  const type = choice('Type', mixedTypes, value?.type ?? 'nil');
  const linked = [...model.classes.values()].filter(({ kind }) => kind === 'object').map(({ name }) => name);
  const classes = choice('Class', linked, value?.value?.class);
  const place = el('span');
  let field;
  const show = () => {
    const single = { name: property.name, type: type.value, target: classes.value, optional: false };
    const current = type.value === value?.type ? value.value : mixedZeros[type.value];
    field = type.value === 'nil' ? null : valueField(single, current, options);
    classes.hidden = type.value !== 'object';
    place.replaceChildren(...(field ? [field.element] : []));
  };
  type.addEventListener('change', () => { show(); field?.focus(); });
  classes.addEventListener('change', show);
  show();
  return {
    element: el('span', { class: 'field mixed-field' }, type, classes, place), input: type,
    focus: () => (field ? field.focus() : type.focus()),
    read: () => {
      if (!field) return null;
      const inside = field.read();
      if (type.value !== 'object') return { type: type.value, value: inside };
      return inside && { type: 'object', value: { class: classes.value, id: inside.id } };
    },
  };
}

/** The fields of an object, each with its name. */
export const drawForm = (fields) => el('div', { class: 'form' }, fields.map(([property, field]) =>
  [el('label', {}, plainName(property.name), el('small', {}, plainName(property.swiftType))), field.element]));

/** Asks for the value of a field: `{ value }`, or null. */
export const askField = (title, field, kind) => openDialog(title, field.element, [
  { text: 'Cancel', value: null }, { text: 'Save', main: true, run: () => ({ value: field.read() }) },
], { kind, opened: () => field.focus() });

// Values of an enum: a file doesn't know them, so what a column has is offered where that is little.

const known = new Map();
// Reading a column of more objects takes longer than choosing a value.
const mostRead = 200000;

async function offerFrequent(property, input) {
  const isOffered = !property.collection && ['string', 'int'].includes(property.type) && property.className;
  const isLittle = model.counts.get(property.className) <= mostRead;
  if (!isOffered || !isLittle || isKey(property) || input.tagName !== 'INPUT') return;
  const name = `${property.className}.${property.name}`;
  if (!known.has(name)) known.set(name, ask(path('column', property.className, property.name)).catch(() => null));
  const about = await known.get(name);
  if (!about || about.distinct === null || about.distinct > 50 || !input.isConnected) return;
  const id = `values-${name}`;
  input.after(el('datalist', { id }, about.frequent.slice(0, 12).map(({ value }) => el('option', { value: editText(property.type, value) }))));
  input.setAttribute('list', id);
}
