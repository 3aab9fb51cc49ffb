// Views of the whole file: its versions, its problems, what takes its room.

import { ask, events, path } from './api.js';
import { counted, el, ghosts, grouped, sizeText } from './dom.js';
import { address, model } from './model.js';
import { dateText, plainName } from './values.js';

const signs = { add: '+', remove: '−', make: '~', change: '~' };

/** A page with a heading, which is filled when its answer comes. */
export function page(title, read) {
  const host = el('div', { class: 'page-content' }, ghosts());
  const stop = new AbortController();
  read(stop.signal).then(
    (content) => host.replaceChildren(...[content].flat(3).filter(Boolean)),
    (error) => { if (error.name !== 'AbortError') host.replaceChildren(el('p', { class: 'mistake' }, error.message)); });
  return { element: el('section', { class: 'page', tabindex: '-1' }, el('h1', {}, title), host), stop: () => stop.abort() };
}

// Versions.

export const versionsView = () => page('Versions', async (signal) => {
  const { versions } = await ask(path('versions'), undefined, signal);
  if (!versions.length) return el('p', { class: 'dim' }, 'This file tells nothing of its versions.');
  return el('ol', { class: 'timeline' }, versions.toReversed().map(drawVersion));
});

function drawVersion(version) {
  const facts = [
    version.since && dateText(version.since.replace('T', ' ').replace(/Z$/, '')),
    version.from != null && `from version ${version.from}`,
    version.rows != null && counted(version.rows, 'row'),
    version.seconds != null && `${version.seconds} s`,
    version.library && `Strata ${version.library}`,
  ].filter(Boolean);
  return el('li', {}, el('h2', {}, `Version ${version.version}`), el('p', { class: 'dim' }, facts.join(' · ')),
    version.changes.length ? changeList(version.changes) : el('p', { class: 'dim' }, 'Nothing of the classes changed.'));
}

/** The lines of 'diff': classes, and below each its properties. */
function changeList(changes) {
  const classes = new Map();
  for (const change of changes) {
    if (!classes.has(change.class)) classes.set(change.class, []);
    classes.get(change.class).push(change);
  }
  return el('div', { class: 'changes' }, [...classes].map(([name, parts]) => {
    const whole = parts.find(({ change }) => change === 'addClass' || change === 'removeClass');
    const rest = parts.filter((part) => part !== whole);
    const title = changeLine(whole ? signOf(whole) : '~', `class ${plainName(name)}`, 'class');
    return [title, rest.map((part) => changeLine(signOf(part), changeText(part)))];
  }));
}

const signOf = ({ change }) => signs[/^[a-z]+/.exec(change)[0]] ?? '~';
const signWords = { '+': 'added', '−': 'removed', '~': 'changed' };

const changeLine = (sign, text, kind = '') => el('div', { class: `change ${signWords[sign]} ${kind}` },
  el('span', { class: 'sign', title: signWords[sign] }, sign), el('code', {}, text));

function changeText({ change, property, from, to, message }) {
  const type = change.startsWith('remove') ? from : to;
  if ((change === 'addProperty' || change === 'removeProperty') && property) return plainName(property) + (type ? `: ${plainName(type)}` : '');
  if (change === 'changeType') return `${plainName(property)}: ${plainName(from)} → ${plainName(to)}`;
  return plainName(message);
}

// Problems.

export function problemsView() {
  const list = el('ul', { class: 'findings' });
  const state = el('p', { class: 'dim', role: 'status' }, 'Looks at every page and every value of the file. Programs can go on meanwhile.');
  const meter = el('progress', { hidden: true, 'aria-label': 'Checking' });
  let stop = new AbortController();
  const check = async () => {
    stop = new AbortController();
    list.replaceChildren();
    start.replaceChildren('End');
    start.onclick = () => stop.abort();
    meter.hidden = false;
    await read();
    meter.hidden = true;
    start.replaceChildren('Check again');
    start.onclick = check;
  };
  const heard = (name, data) => {
    if (name === 'progress') {
      state.textContent = `Checking ${plainName(data.what)} …`;
      meter.max = data.of;
      meter.value = data.done;
    }
    if (name === 'problem') list.append(finding(data));
    if (name === 'done') state.textContent = data.count ? `${counted(data.count, 'problem')} found.` : 'No problems.';
  };
  const read = async () => {
    try {
      await events(path('problems'), heard, stop.signal);
    } catch (error) {
      state.textContent = error.name === 'AbortError' ? 'Ended before everything was looked at.' : error.message;
    }
  };
  const start = el('button', { type: 'button', class: 'main' }, 'Check now');
  start.onclick = check;
  const content = el('div', { class: 'page-content' }, start, state, meter, list);
  const element = el('section', { class: 'page', tabindex: '-1' }, el('h1', {}, 'Problems'), content);
  return { element, stop: () => stop.abort() };
}

function finding(problem) {
  const { class: className, row, rows } = problem;
  const isThere = row != null && model.classes.has(className);
  return el('li', {}, el('p', {}, plainName(problem.message)), el('p', { class: 'dim' }, plainName(problem.repair ?? '')),
    isThere ? el('a', { href: address({ className, id: row }) }, `${plainName(className)} ${row}`) : null,
    rows > 1 ? el('span', { class: 'dim' }, ` and ${grouped(rows - 1)} more`) : null);
}

// The file.

export const fileView = () => page('File', async (signal) => {
  const { file } = model;
  const { sizes } = await ask(path('sizes'), undefined, signal);
  const facts = [
    ['Name', plainName(file.file)], ['Kind', file.kind === 'realm' ? 'Realm, read through a copy' : 'Strata, a database of SQLite'],
    ['Schema version', file.schemaVersion], ['Size', sizeText(file.bytes)], ['In its WAL', sizeText(file.logBytes)],
    ['Unused', sizeText(file.unusedBytes)], ['Copy before the first change', file.backup],
    ['Other tables', file.otherTables?.map(plainName).join(', ') || null],
  ].filter(([, value]) => value != null);
  return [
    el('dl', { class: 'facts' }, facts.map(([name, value]) => [el('dt', {}, name), el('dd', {}, String(value))])),
    file.changedValues ? await changedList(file.changedValues, signal) : null,
    el('h2', {}, 'What takes its room'), sizeTable(sizes),
  ];
});

/** Values of a file of Realm that a file of Strata can't hold as they were, the first hundred of each kind. */
async function changedList(count, signal) {
  const { values, others } = await ask(path('changed'), undefined, signal);
  const rest = count - values.length - others.length;
  const place = ({ class: className, property, id }) =>
    el('a', { href: address({ className, id }) }, `${plainName(className)}.${plainName(property)} of object ${id}`);
  const lines = [...values.map((value) => [place(value), `: ${value.original}`]), ...others.map(plainName),
    ...(rest > 0 ? [`and ${grouped(rest)} more`] : [])];
  return [el('h2', {}, `${counted(count, 'value')} shown differently`), el('ul', {}, lines.map((line) => el('li', {}, line)))];
}

function sizeTable(sizes) {
  const total = sizes.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const classes = new Map();
  for (const part of sizes) {
    const name = part.class ?? '';
    classes.set(name, [...(classes.get(name) ?? []), part]);
  }
  const sum = (parts) => (parts.every(({ bytes }) => bytes === null) ? null : parts.reduce((all, { bytes }) => all + (bytes ?? 0), 0));
  const sorted = [...classes].sort(([, a], [, b]) => (sum(b) ?? -1) - (sum(a) ?? -1));
  const greatest = Math.max(1, ...sorted.map(([, parts]) => sum(parts) ?? 0));
  const heads = ['', 'size', 'share', 'rows'].map((name, index) => el('th', { class: index ? 'right' : '', scope: 'col' }, name));
  const row = (name, bytes, rows, kind) => sizeRow(name, { bytes, rows, kind, total, greatest });
  return el('table', { class: 'sizes' }, el('thead', {}, el('tr', {}, heads)), el('tbody', {}, sorted.map(([name, parts]) => [
    row(name ? el('a', { href: address({ className: name }) }, plainName(name)) : 'Other tables', sum(parts), parts.find(({ kind }) => kind === 'table')?.rows),
    parts.length > 1 ? parts.map((part) => row(`${plainName(part.name)} `, part.bytes, part.rows, part.kind)) : null,
  ])));
}

function sizeRow(name, { bytes, rows, kind, total, greatest }) {
  const bar = el('i', { class: 'share' });
  bar.style.width = `${((bytes ?? 0) / greatest) * 100}%`;
  const share = bytes === null || !total ? '' : `${((bytes / total) * 100).toFixed(1)} %`;
  return el('tr', { class: kind ? 'part' : '' },
    el('th', { scope: 'row' }, name, kind ? el('small', {}, kind) : null), el('td', { class: 'right' }, sizeText(bytes)),
    el('td', { class: 'right shares' }, bar, share), el('td', { class: 'right' }, rows == null ? '' : grouped(rows)));
}
