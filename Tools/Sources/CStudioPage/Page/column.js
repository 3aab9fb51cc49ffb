// What a column has: how many, the least and the greatest, how they are distributed.

import { ask, path } from './api.js';
import { button, drawn, el, ghosts, grouped } from './dom.js';
import { condition, kindOf, pathText, plainName, shown } from './values.js';

/** Fills `host` with figures of a column; each leads to a condition through `filter(text)`. */
export async function aboutColumn(host, property, { where, signal, filter }) {
  const stop = new AbortController();
  signal.addEventListener('abort', () => stop.abort());
  const again = () => { host.replaceChildren(); aboutColumn(host, property, { where, signal, filter }); };
  host.replaceChildren(ghosts('Reading all values …', button('End', () => stop.abort())));
  try {
    const about = await ask(path('column', property.className, property.name), where ? { where } : undefined, stop.signal);
    host.replaceChildren(...draw(property, about, where, filter));
  } catch (error) {
    if (signal.aborted) return;
    host.replaceChildren(el('p', { class: 'dim' }, error.name === 'AbortError' ? 'Ended.' : error.message), button('Read again', again));
  }
}

function draw(property, about, where, filter) {
  const single = property.collection ? { ...property, type: 'int', collection: null } : property;
  const figure = (value, kind = single) => (value === null || value === undefined ? null : shown(kind, value, { full: true }));
  const average = { ...single, type: 'double' };
  const rows = [
    ['objects', grouped(about.count)],
    ['nil', about.nil ? filtering(grouped(about.nil), condition({ ...property, collection: null }, null), filter) : '0'],
    ['distinct', about.distinct === null ? null : grouped(about.distinct)],
    ['least', figure(about.min)], ['greatest', figure(about.max)],
    ['mean', about.average === null ? null : figure(Number(Number(about.average).toPrecision(7)), average)],
    ['sum', about.sum === null ? null : figure(about.sum)],
  ].filter(([, value]) => value !== null);
  const kind = property.collection ? 'Numbers of elements' : 'Values';
  return [
    el('p', { class: 'dim' }, `${plainName(property.className)}.${plainName(property.name)}: ${plainName(property.swiftType)}`),
    where ? el('p', { class: 'dim' }, 'Of what matches ', el('code', {}, where)) : null,
    el('dl', { class: 'figures' }, rows.map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])),
    about.histogram ? [el('h3', {}, kind), histogram(property, single, about.histogram, filter)] : null,
    about.frequent?.length ? [el('h3', {}, 'Most frequent'), frequent(property, about, filter)] : null,
    about.milliseconds == null ? null : el('p', { class: 'dim' }, `Read in ${grouped(about.milliseconds)} ms.`),
  ].flat(2).filter(Boolean);
}

const filtering = (content, text, filter) =>
  (text ? el('button', { type: 'button', class: 'filtering', title: text, onclick: () => filter(text) }, content) : content);

function rangeCondition(property, bar, isLast) {
  const name = pathText(property.name);
  if (!name || !['int', 'float', 'double'].includes(property.type) || property.collection) return null;
  const end = (value, isUp) => (property.type === 'int' ? (isUp ? Math.ceil(value) : Math.floor(value)) : value);
  return `${name} >= ${end(bar.from, true)} AND ${name} ${isLast ? '<=' : '<'} ${end(bar.to, !isLast)}`;
}

/** Twenty bars. The page's rules forbid styles in texts, so heights are attributes of SVG. */
function histogram(property, single, bars, filter) {
  const greatest = Math.max(...bars.map(({ count }) => count), 1);
  const svg = drawn('svg', {
    viewBox: `0 0 ${bars.length * 15} 80`, class: 'histogram', role: 'img', 'aria-label': `Distribution of ${property.name}`,
  }, ...bars.map((bar, index) => drawBar(property, bar, index, { greatest, isLast: index === bars.length - 1, filter })));
  const edge = (value) => el('span', {}, shown(single, single.type === 'int' ? Math.round(value) : value));
  return el('div', { class: 'distribution' }, svg, el('div', { class: 'edges dim' }, edge(bars[0].from), edge(bars.at(-1).to)));
}

function drawBar(property, bar, index, { greatest, isLast, filter }) {
  const height = bar.count ? Math.max(1.5, (bar.count / greatest) * 76) : 0;
  const rect = (top, size, kind) => drawn('rect', { x: index * 15 + 1, y: top, width: 13, height: size, class: kind });
  const text = (value) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value);
  const title = drawn('title', {}, `${text(bar.from)} to ${text(bar.to)}: ${grouped(bar.count)}`);
  const group = drawn('g', {}, title, rect(0, 80, 'behind'), rect(80 - height, height, 'value'));
  const where = rangeCondition(property, bar, isLast);
  if (where) {
    group.setAttribute('class', 'filtering');
    group.addEventListener('click', () => filter(where));
  }
  return group;
}

function frequent(property, about, filter) {
  const single = { ...property, collection: null };
  const greatest = about.frequent[0].count;
  return el('ul', { class: 'frequent' }, about.frequent.map(({ value, count }) => {
    const share = el('i', { class: 'share' });
    share.style.width = `${(count / greatest) * 100}%`;
    const text = property.collection ? elementCondition(property, value) : condition(property, value);
    const label = kindOf(single) === 'link' ? plainName(value?.label ?? 'nil') : shown(single, value);
    return el('li', {}, share, filtering(el('span', { class: 'value' }, label), text, filter), el('span', { class: 'count' }, grouped(count)));
  }));
}

function elementCondition(property, value) {
  const text = condition({ ...property, collection: null }, value);
  return text && `ANY ${text}`;
}
