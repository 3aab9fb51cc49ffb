// The start of the page, its address, and what is around the views.

import { ask, path, post } from './api.js';
import { Browser } from './browse.js';
import { drawEditTools, takeSteps } from './changes.js';
import { diagramView } from './diagram.js';
import { button, counted, el, find, grouped, icon, notice, openDialog, openMenu, say, sizeText } from './dom.js';
import { editKeys } from './edit.js';
import { showKeys } from './keys.js';
import { listenToFile } from './live.js';
import { address, isWritable, model, on, readAddress, takeFile } from './model.js';
import { objectPage } from './objectpage.js';
import { panel } from './panel.js';
import { keepSetting, loadSettings, setting } from './settings.js';
import { plainName, zoneName } from './values.js';
import { fileView, problemsView, versionsView } from './views.js';

const viewNames = { diagram: 'Diagram', versions: 'Versions', problems: 'Problems', file: 'File' };
const views = { diagram: diagramView, versions: versionsView, problems: problemsView, file: fileView };
let view = null;

// What is around the views.

function drawBar() {
  const { file } = model;
  document.title = `${plainName(file.file)} · Strata Studio`;
  find('file-name').textContent = plainName(file.file);
  find('file-facts').textContent = `version ${file.schemaVersion} · ${sizeText(file.bytes)} · ${counted(model.classes.size, 'class', 'classes')}`;
  if (file.changedValues) {
    const list = el('a', { href: address({ view: 'file' }) }, `${counted(file.changedValues, 'value')} shown differently`);
    find('file-facts').append(' · ', list);
  }
  const mode = find('mode');
  mode.hidden = false;
  mode.textContent = isWritable() ? 'editing' : 'read only';
  mode.classList.toggle('editing', isWritable());
  takeSteps();
  find('zone').textContent = zoneName(model.zone);
}

function drawSide() {
  const filter = find('class-filter').value.toLowerCase();
  const { className, view: viewName } = readAddress(location.hash);
  const shown = [...model.classes.values()].filter(({ name }) => name.toLowerCase().includes(filter));
  find('class-list').replaceChildren(...shown.map((described) => classItem(described, described.name === className)),
    ...(shown.length ? [] : [el('li', { class: 'none' }, model.classes.size ? 'No class has this name.' : 'The file has no classes.')]));
  find('view-list').replaceChildren(...Object.entries(viewNames).map(([name, title]) =>
    el('li', {}, el('a', { href: address({ view: name }), 'aria-current': name === viewName ? 'page' : null }, title))));
}

function classItem({ name, kind }, isCurrent) {
  const count = model.counts.get(name);
  return el('li', {}, el('a', { href: address({ className: name }), 'aria-current': isCurrent ? 'page' : null, title: plainName(name) },
    el('bdi', { class: 'name' }, plainName(name)), kind === 'object' ? null : el('small', {}, kind),
    el('span', { class: 'count' }, count == null ? '—' : grouped(count))));
}

async function readCounts() {
  const answer = await ask(path('counts')).catch(() => null);
  if (!answer) return;
  model.counts = new Map(Object.entries(answer.counts).filter(([, count]) => count !== null));
  drawSide();
  view?.takeCounts?.();
}

function chooseZone() {
  const set = (zone) => {
    model.zone = zone;
    keepSetting('zone', zone);
    find('zone').textContent = zoneName(zone);
    view?.grid?.redraw();
    panel.refresh();
  };
  const zones = [...new Set(['local', 'UTC', model.file.zone].filter(Boolean))];
  openMenu(find('zone'), [
    ...zones.map((zone) => ({
      text: zone === 'local' ? `This computer: ${zoneName(zone)}` : zone, checked: zone === model.zone, run: () => set(zone),
    })),
    null, { text: 'Another zone…', run: () => askZone(set) },
  ]);
}

function askZone(set) {
  const names = el('datalist', { id: 'zones' }, Intl.supportedValuesOf('timeZone').map((name) => el('option', { value: name })));
  const field = el('input', { list: 'zones', 'aria-label': 'Zone', placeholder: 'Europe/Oslo' });
  openDialog('Zone of times', [field, names], [{ text: 'Cancel', value: null }, { text: 'Use it', main: true, run: () => {
    try {
      Intl.DateTimeFormat('en', { timeZone: field.value });
    } catch {
      throw new Error(`There is no zone '${field.value}'.`);
    }
    set(field.value);
  } }]);
}

// Going to a class or view by its name.

function openPalette() {
  const places = [...[...model.classes.keys()].map((className) => ({ text: className, to: address({ className }) })),
    ...Object.entries(viewNames).map(([name, text]) => ({ text, to: address({ view: name }) }))];
  const list = el('ul', { class: 'palette', role: 'listbox', id: 'palette' });
  const field = el('input', {
    type: 'search', 'aria-label': 'Go to', placeholder: 'Class or view', role: 'combobox', 'aria-controls': 'palette', 'aria-expanded': 'true',
  });
  let found = [];
  let chosen = 0;
  let close;
  const draw = () => {
    found = places.filter(({ text }) => text.toLowerCase().includes(field.value.toLowerCase()));
    chosen = Math.max(0, Math.min(chosen, found.length - 1));
    list.replaceChildren(...found.slice(0, 50).map(({ text, to }, index) => el('li', {
      role: 'option', id: `place-${index}`, 'aria-selected': String(index === chosen), onclick: () => { location.hash = to; close(); },
    }, plainName(text))));
    field.setAttribute('aria-activedescendant', `place-${chosen}`);
    list.children[chosen]?.scrollIntoView({ block: 'nearest' });
  };
  field.addEventListener('input', () => { chosen = 0; draw(); });
  field.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    chosen += step;
    draw();
  });
  draw();
  openDialog('Go to', [field, list], [{ text: 'Go', main: true, run: () => { if (found[chosen]) location.hash = found[chosen].to; } }],
    { kind: 'plain', opened: (_, finish) => { close = () => finish(null); } });
}

// Addresses.

function route() {
  const asked = readAddress(location.hash);
  const known = asked.view || model.classes.has(asked.className);
  if (!known) return routeToFirst(asked);
  document.body.classList.remove('has-drawer');
  find('drawer').setAttribute('aria-expanded', 'false');
  drawSide();
  if (view?.take && asked.className === view.className && asked.id === undefined && !asked.columns?.length) return view.take(asked);
  show(asked);
}

function routeToFirst({ className }) {
  if (className) notice(`This file has no class '${plainName(className)}'.`);
  const kept = setting('class');
  const described = model.classes.get(kept) ?? [...model.classes.values()].find(({ kind }) => kind === 'object') ?? [...model.classes.values()][0];
  history.replaceState(null, '', described ? address({ className: described.name }) : address({ view: 'file' }));
  route();
}

function show(asked) {
  view?.stop?.();
  view = null;
  panel.close();
  find('figures').textContent = '';
  find('more')?.remove();
  if (asked.view) view = views[asked.view]();
  else if (asked.id !== undefined) view = objectPage(asked.className, asked.id);
  else view = new Browser(asked);
  if (asked.className && asked.className !== setting('class')) keepSetting('class', asked.className);
  find('main').replaceChildren(view.element);
  if (view.grid) view.grid.draw();
  (view.focus ?? (() => view.element.focus()))?.call(view);
  if (!(view instanceof Browser)) afterFirstPage();
}

/** Counts take time in large files: they are asked when the first rows are there. */
let hasCounts = false;
function afterFirstPage() {
  if (!hasCounts) readCounts();
  hasCounts = true;
}

function showMore(count) {
  find('more')?.remove();
  if (count) find('figures').after(el('button', { type: 'button', id: 'more', class: 'quiet', onclick: count }, 'count all'));
}

async function reload() {
  migrated?.();
  try {
    takeFile(await ask(path('file')));
  } finally {
    migrated = null;
  }
  readCounts();
  drawBar();
  drawSide();
  const asked = readAddress(location.hash);
  if (asked.view || model.classes.has(asked.className)) show(asked);
  else route();
}

// Keys that work everywhere.

function key(event) {
  const isTyping = event.target.closest?.('input, textarea, select, dialog');
  const control = event.ctrlKey || event.metaKey;
  const name = (control ? 'Ctrl+' : '') + event.key;
  const acts = {
    'Ctrl+k': openPalette,
    'Ctrl+s': () => view?.save?.(),
    'Ctrl+f': view?.bar && (() => view.bar.focus()),
    'Ctrl+F': view?.filter && (() => view.filter()),
    ...(isTyping ? {} : {
      '/': () => { openDrawer(true); find('class-filter').focus(); },
      '?': () => showKeys(isWritable()),
      Escape: document.body.classList.contains('has-drawer') ? () => openDrawer(false)
        : find('panel').contains(event.target) ? () => panel.close() : null,
      ...editKeys(view),
    }),
  };
  const run = event.target.closest?.('dialog') ? null : acts[name];
  if (!run || event.defaultPrevented) return;
  event.preventDefault();
  run(event);
}

function openDrawer(isOpen = !document.body.classList.contains('has-drawer')) {
  document.body.classList.toggle('has-drawer', isOpen);
  find('drawer').setAttribute('aria-expanded', String(isOpen));
}

function filterKey(event) {
  if (event.key === 'Enter') find('class-list').querySelector('a')?.click();
  if (event.key === 'Escape') {
    event.target.value = '';
    drawSide();
    (view?.focus ?? (() => {})).call(view);
  }
}

function connectPage() {
  find('drawer').append(icon('menu'));
  find('drawer').addEventListener('click', () => openDrawer());
  find('help').addEventListener('click', () => showKeys(isWritable()));
  find('zone').addEventListener('click', chooseZone);
  find('class-filter').addEventListener('input', drawSide);
  find('class-filter').addEventListener('keydown', filterKey);
  addEventListener('hashchange', route);
  addEventListener('keydown', key);
  on('figures', (text) => { find('figures').textContent = text; });
  on('more', showMore);
  on('shown', afterFirstPage);
  on('closed', () => view?.closed?.());
  on('reload', reload);
  on('steps', () => drawEditTools(find('edit-tools')));
  on('changed', refresh);
  on('file', drawBar);
  on('writable', (writable) => { if (writable !== model.file.writable) reload(); });
  on('progress', ({ what, fraction }) => {
    const part = fraction === null ? '' : `${Math.round(fraction * 100)} %`;
    say(fraction === 1 ? '' : `${plainName(what)} … ${part}`);
  });
}

const refresh = () => Promise.all([view?.refresh?.(), panel.refresh()]);

/** Each connection hears of these again; who has read one needs it once. */
let migrated = null;
function tellMigrated({ schemaVersion, since, replaced }) {
  // What was on its way while the file was loaded again is known already.
  if (schemaVersion === model.file.schemaVersion && since === model.file.since) return;
  const text = replaced ? 'Another file was put in the place of this one.' : 'Another program migrated this file.';
  migrated ??= notice(text, { kind: 'told', stays: true, actions: [['Load again', reload]] });
}

let outdated = null;
function tellOutdated({ message, canLoadAgain }) {
  if (outdated?.message === message) return;
  outdated?.close();
  const actions = canLoadAgain ? [['Load again', copyAgain]] : [];
  outdated = { message, close: notice(message, { kind: 'told', stays: true, actions }) };
}

/** Has the file of Realm copied as it is now. Where that fails the page goes on with the copy before. */
async function copyAgain() {
  outdated = null;
  try {
    await post(path('copy'), {});
  } catch (error) {
    notice(error.message);
  }
}

/** This page or another one has had it copied. */
function takeCopy() {
  outdated?.close();
  outdated = null;
  return reload();
}

function follow() {
  listenToFile({
    refresh,
    recount: async () => { await readCounts(); view?.recount?.(); },
    outdated: tellOutdated,
    copied: takeCopy,
    migrated: tellMigrated,
    ended: () => migrated?.(),
  });
}

async function start() {
  connectPage();
  try {
    const [file] = await Promise.all([ask(path('file')), loadSettings()]);
    takeFile(file);
    model.zone = setting('zone') ?? 'local';
  } catch (error) {
    document.body.replaceChildren(el('main', { class: 'refused' }, el('h1', {}, 'Strata Studio'), el('p', {}, error.message),
      error.code === 'away' ? button('Try again', () => location.reload(), { kind: 'main' }) : null));
    return;
  }
  drawBar();
  route();
  follow();
}

start();
