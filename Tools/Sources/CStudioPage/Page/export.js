// Answers as files, and rows as text.

import { post, sortText } from './api.js';
import { copyText, counted, el, grouped, notice, openMenu, say } from './dom.js';
import { openImport } from './import.js';
import { isEmbedded, isWritable } from './model.js';
import { readChosen } from './select.js';
import { plainName, copied, jsonValue } from './values.js';
import { whole } from './whole.js';

const formats = [['csv', 'CSV'], ['json', 'JSON'], ['ndjson', 'NDJSON']];

/** Saves the whole answer, or what is selected, with the columns that are shown. */
export function openSaveMenu(grid, anchor) {
  const what = grid.selected.size > 1 ? `${grouped(grid.selected.size)} selected`
    : grid.rows.isExact ? grouped(grid.rows.total) : 'all';
  const canImport = isWritable() && !isEmbedded(grid.className);
  openMenu(anchor, [
    ...formats.map(([format, name]) => ({ text: `Save ${what} as ${name}`, run: () => save(grid, format) })),
    ...(canImport ? [null, { text: 'Import…', run: () => openImport(grid.className) }] : []),
  ]);
}

async function save(grid, format) {
  const columns = grid.columns.shown.map(({ property }) => property.name);
  const question = grid.selected.size > 1 ? { ids: [...grid.selected] }
    : { where: grid.where, sort: sortText(grid.sort) };
  const { path } = await post('/api/export', { class: grid.className, format, columns, ...question });
  // The path works once, without the key: the browser itself reads it, and writes to the disk.
  el('a', { href: path, download: `${plainName(grid.className)}.${format}` }).click();
  say(`Saving ${plainName(grid.className)}.${format}.`);
}

// The texts of more would fill the memory of the page.
const mostCopied = 10000;

const quotedField = (text) => (/[",\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text);

/** Nil is an empty field, and empty text is quoted, as in files of this format. */
const field = (property, value) => (value === null ? '' : quotedField(copied(property, value)));
const tabbed = (text) => text.replace(/[\t\r\n]+/g, ' ');

function rowsText(columns, rows, kind) {
  if (kind === 'json') {
    const objects = rows.map((row) => Object.fromEntries(columns.map(({ property, index }) => [property.name, jsonValue(row.values[index])])));
    return JSON.stringify(objects.length === 1 ? objects[0] : objects, null, 2);
  }
  const lines = kind === 'csv'
    ? rows.map((row) => columns.map(({ property, index }) => field(property, row.values[index])).join(','))
    : rows.map((row) => columns.map(({ property, index }) => tabbed(copied(property, row.values[index]))).join('\t'));
  const names = columns.map(({ property }) => property.name);
  const head = kind === 'csv' ? names.map(quotedField).join(',') : names.map(tabbed).join('\t');
  return [head, ...lines, ''].join('\n');
}

/** Rows with all of their texts, one request after the other. */
async function wholeRows(columns, rows) {
  const all = [];
  for (const { id, values } of rows) {
    const read = [...values];
    for (const { property, index } of columns) read[index] = await whole(property, id, values[index]);
    all.push({ id, values: read });
  }
  return all;
}

export function copyRows(grid, kind) {
  const count = grid.chosenIds.length;
  const columns = grid.columns.shown;
  if (count > mostCopied) return notice(`At most ${grouped(mostCopied)} rows are copied. Save them as a file.`);
  const all = readChosen(grid).then((rows) => wholeRows(columns, rows));
  if (count) copyText(all.then((rows) => rowsText(columns, rows, kind)), counted(count, 'row'));
}
