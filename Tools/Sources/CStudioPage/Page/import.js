// Objects from a file of CSV or JSON: a trial first, and then all of it.

import { importFile } from './changes.js';
import { el, grouped, openDialog, say } from './dom.js';
import { model } from './model.js';
import { plainName } from './values.js';

// A name that no property has.
const ownIdentity = '=';

export async function openImport(className) {
  const { primaryKey, properties } = model.classes.get(className);
  const file = el('input', { type: 'file', accept: '.csv,.json,.ndjson,.txt', 'aria-label': 'File', onchange: () => tryIt() });
  const update = el('input', { type: 'checkbox', onchange: () => tryIt() });
  const hint = 'CSV with a line of names, JSON or NDJSON. Nothing is written before you have seen what would be.';
  const found = el('div', { class: 'import', role: 'status' }, hint);
  let mapping = {};
  const isIdentity = (column) => !primaryKey && column === '_id' && !properties.some(({ name }) => name === column);
  const query = (dry) => ({
    dry: String(dry), update: String(update.checked), mapping: JSON.stringify(mapping),
    // What has another name is known by its first character.
    ...(/\.csv$/i.test(file.files[0].name) ? { format: 'csv' } : {}),
  });
  const tryIt = async () => {
    if (!file.files[0]) return;
    found.replaceChildren('Trying …');
    try {
      show(await importFile(className, file.files[0], query(true)));
    } catch (error) {
      found.replaceChildren(el('p', { class: 'mistake' }, error.message));
    }
  };
  const show = ({ rows, ready, embedded, problems, columns, mapped }) => found.replaceChildren(
    el('p', {}, el('strong', {}, `${grouped(ready)} of ${grouped(rows)} rows are fine.`), inside(embedded)),
    el('div', { class: 'form' }, columns.map((column) => [el('label', {}, plainName(column)), target(column, mapped)])),
    el('ul', {}, problems.map(problemItem)));
  const target = (column, mapped) => el('select', { 'aria-label': `Property of ${column}`, onchange: (event) => {
    const { [column]: before, ...others } = mapping;
    mapping = event.target.value === ownIdentity ? others : { ...others, [column]: event.target.value || null };
    tryIt();
  } }, el('option', { value: '' }, 'left out'),
  isIdentity(column) ? el('option', { value: ownIdentity, selected: mapped[column] === column }, 'identity') : null,
  properties.map(({ name }) => el('option', { value: name, selected: mapped[column] === name }, plainName(name))));
  const run = async () => {
    if (!file.files[0]) throw new Error('Choose a file.');
    const answer = await importFile(className, file.files[0], query(false));
    say(`Imported ${grouped(answer.ready)} rows.`);
  };
  const sameKey = primaryKey ? el('label', {}, update, ` Update objects that have the same '${plainName(primaryKey)}'`) : null;
  await openDialog(`Import ${plainName(className)}`, [file, sameKey, found].filter(Boolean),
    [{ text: 'Cancel', value: null }, { text: 'Import', main: true, run }], { kind: 'wide' });
}

const inside = (embedded) => Object.entries(embedded).map(([name, count], index) =>
  `${index ? ', ' : ' Embedded in them: '}${grouped(count)} ${plainName(name)}`);

const problemItem = ({ line, column, message }) =>
  el('li', { class: 'mistake' }, `Line ${line}${column ? `, ${plainName(column)}` : ''}: ${plainName(message)}`);
