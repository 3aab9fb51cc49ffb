// Choosing an object for a link: a dialog with the grid of its class.

import { el, openDialog } from './dom.js';
import { Grid } from './grid.js';
import { listen } from './keys.js';
import { labelOf, plainName } from './values.js';
import { QueryBar } from './query.js';

/** Gives `{ id, label }`, or null where nothing was chosen. */
export async function pickObject(className) {
  let grid;
  let finish;
  const choose = () => {
    const row = grid.activeRow;
    if (!row) throw new Error('Choose an object.');
    return { id: row.id, label: labelOf(className, row) };
  };
  const bar = new QueryBar({
    className, where: '', explains: false, left: () => grid.element.focus(),
    asked: (where) => { grid.ask(where, grid.sort); grid.element.focus(); },
  });
  grid = new Grid({
    className, where: '', sort: [], columns: [], sortBy: (sort) => grid.ask(grid.where, sort),
    failed: (error) => bar.refuse(error), cleared: () => { bar.set(''); grid.ask('', grid.sort); },
  });
  listen(grid, { choose: () => finish(choose()), leave: () => finish(null) });
  const chosen = await openDialog(`Choose: ${plainName(className)}`, el('div', { class: 'picker' }, bar.element, grid.host),
    [{ text: 'Cancel', value: null }, { text: 'Choose', main: true, run: choose }],
    { kind: 'wide', opened: (_, end) => { finish = end; grid.draw(); bar.focus(); } });
  grid.stop();
  return chosen;
}
