// What the keyboard and the pointer do in a grid, and the list of keys.

import { el, openDialog, pointOf } from './dom.js';
import { canSort, nextSort, openColumnMenu } from './heads.js';

/** Connects a grid with its keys. `acts` has what a key can lead to; what is missing does nothing. */
export function listen(grid, acts) {
  grid.element.addEventListener('keydown', (event) => {
    if (event.target !== grid.element || event.defaultPrevented) return;
    if (move(grid, event) || act(grid, acts, event)) event.preventDefault();
  });
  grid.body.addEventListener('pointerdown', (event) => point(grid, event));
  grid.body.addEventListener('click', (event) => click(grid, acts, event));
  grid.body.addEventListener('dblclick', (event) => {
    if (event.target.closest('.cell:not(.identity)')) acts.edit?.() ?? acts.choose?.();
  });
  grid.body.addEventListener('contextmenu', (event) => {
    const place = placeOf(event.target);
    if (!place || !acts.menu) return;
    event.preventDefault();
    if (!grid.selected.has(grid.rows.at(place.position)?.id)) grid.clearSelection();
    grid.activate(place.position, place.column);
    acts.menu(pointOf(event));
  });
}

function placeOf(target) {
  const cell = target.closest?.('.cell');
  return cell ? { position: cell.parentElement.position, column: cell.column } : null;
}

function point(grid, event) {
  const place = placeOf(event.target);
  if (!place || event.button !== 0 || event.target.closest('input, textarea')) return;
  if (event.shiftKey) event.preventDefault();
  if (event.shiftKey) grid.selectTo(place.position);
  else if (event.ctrlKey || event.metaKey) toggle(grid, place.position);
  else grid.clearSelection();
  if (!event.shiftKey) grid.anchor = place.position;
  grid.activate(place.position, place.column);
  grid.tellFigures();
  grid.element.focus({ preventScroll: true });
}

function toggle(grid, position) {
  const id = grid.rows.at(position)?.id;
  if (id === undefined) return;
  const active = grid.activeRow;
  if (!grid.selected.size && grid.wasChosen && active && active.id !== id) grid.selected.add(active.id);
  if (!grid.selected.delete(id)) grid.selected.add(id);
}

function click(grid, acts, event) {
  const chip = event.target.closest('a.chip');
  if (chip && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    grid.element.focus({ preventScroll: true });
    acts.follow?.(chip.dataset.class, Number(chip.dataset.id));
  } else if (event.target.closest('.cell.identity') && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
    acts.open?.();
  }
}

function move(grid, event) {
  const { position, column } = grid.active;
  const page = grid.view.rowsInSight;
  const end = event.ctrlKey || event.metaKey;
  if (event.altKey) return false;
  const to = {
    ArrowUp: [end ? 0 : position - 1], ArrowDown: [end ? Infinity : position + 1],
    PageUp: [Math.max(0, position - page)], PageDown: [position + page],
    ArrowLeft: [position, column - 1], ArrowRight: [position, column + 1],
    Home: [end ? 0 : position, 0], End: [end ? Infinity : position, Infinity],
  }[event.key];
  if (!to) return false;
  const isVertical = to[0] !== position;
  const target = Math.max(-1, Math.min(to[0], grid.rows.total - 1));
  if (event.shiftKey && isVertical) grid.selectTo(target);
  else if (isVertical) grid.clearSelection();
  grid.activate(target, to[1]);
  grid.tellFigures();
  return true;
}

function act(grid, acts, event) {
  if (grid.active.position < 0) return actOnHead(grid, event);
  const control = event.ctrlKey || event.metaKey;
  const name = `${control ? 'Ctrl+' : ''}${event.shiftKey && event.key.length > 1 ? 'Shift+' : ''}${event.altKey ? 'Alt+' : ''}${event.key}`;
  const run = {
    Enter: acts.edit ?? acts.open, F2: acts.edit, ' ': acts.peek ?? acts.open, Escape: acts.leave, Delete: acts.remove,
    'Ctrl+a': () => grid.selectAll(), 'Ctrl+c': acts.copy, 'Ctrl+Enter': acts.openPage, 'Ctrl+Backspace': acts.clear,
    ContextMenu: acts.menu, 'Shift+F10': acts.menu, 'Alt+ArrowLeft': () => shift(grid, -1), 'Alt+ArrowRight': () => shift(grid, 1),
  }[name];
  if (acts.choose && name === 'Enter') acts.choose();
  else if (run) run(name.includes('Menu') || name === 'Shift+F10' ? grid.activeElement : undefined);
  else if (acts.type && !['/', '?'].includes(event.key) && event.key.length === 1 && !control && !event.altKey) return acts.type(event.key);
  else return false;
  return true;
}

function actOnHead(grid, event) {
  const column = grid.activeColumn;
  if (!column) return false;
  const { key } = event;
  const isForMenu = key === ' ' || key === 'ContextMenu' || (key === 'F10' && event.shiftKey);
  if (key === 'Enter' && canSort(column.property)) grid.sortBy(nextSort(grid.sort, column.property.name, event.shiftKey));
  else if (isForMenu) openColumnMenu(grid, column, grid.active.column - 1, grid.activeElement);
  else if (event.altKey && key === 'ArrowLeft') shift(grid, -1);
  else if (event.altKey && key === 'ArrowRight') shift(grid, 1);
  else return false;
  return true;
}

function shift(grid, by) {
  const index = grid.active.column - 1;
  const to = index + by;
  if (index < 0 || to < 0 || to >= grid.columns.shown.length) return;
  grid.columns.move(index, to);
  grid.redraw();
  grid.activate(grid.active.position, to + 1);
}

const table = [
  ['Moving', [
    ['↑ ↓ ← →', 'from cell to cell; ↑ from the first row leads to the heads'], ['Page ↑, Page ↓', 'by what is in sight'],
    ['Home, End', 'first and last column'], ['Ctrl+Home, Ctrl+End', 'first and last object'],
    ['/', 'filter classes'], ['Ctrl+K', 'go to a class or view'], ['Ctrl+F', 'the condition'], ['Escape', 'back to the grid; close the object'],
  ]],
  ['Objects', [
    ['Space', 'show or hide the object at the side'], ['Enter', 'edit the cell; the object where nothing is edited'],
    ['Ctrl+Enter', 'the object on its own page'],
    ['Shift+↑ ↓, Ctrl+click', 'select'], ['Ctrl+A', 'select all that match'], ['Ctrl+C', 'copy the cell, or what is selected'], ['Shift+F10', 'menu of the cell or head'],
    ['Ctrl+S', 'save what the grid has as a file'], ['Ctrl+Shift+F', 'boxes that filter columns'],
  ]],
  ['Heads', [
    ['Enter', 'sort up, down, not'], ['Shift+Enter', 'sort by one more'], ['Alt+← →', 'move the column'], ['Space', 'menu of the column'],
  ]],
  ['Editing', [
    ['Enter, F2, typing', 'edit'], ['Enter, Tab', 'save; go on'], ['Shift+Enter', 'edit a text with lines'], ['Escape', 'leave it as it was'],
    ['Ctrl+Backspace', 'set to nil'], ['Delete', 'delete objects'], ['Ctrl+V', 'paste cells'], ['Ctrl+Z, Ctrl+Shift+Z', 'undo, redo'],
  ]],
];

export function showKeys(isWritable) {
  const groups = isWritable ? table : table.slice(0, 3);
  return openDialog('Keys', el('div', { class: 'keys' }, groups.map(([title, keys]) => el('section', {}, el('h3', {}, title),
    el('dl', {}, keys.map(([key, meaning]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, meaning)]))))),
  [{ text: 'Close', main: true }], { kind: 'wide' });
}
