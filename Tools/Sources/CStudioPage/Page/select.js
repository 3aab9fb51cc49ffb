// The selection of a grid: objects by their identities, also such as aren't in memory.

import { ask, path, sortText } from './api.js';

// More are no selection: the studio refuses them.
export const mostSelected = 100000;
const mostAsked = 200;

/** Selects a range of positions; the identities of what isn't read are asked for. */
export async function selectRange(grid, from, to) {
  const request = grid.selecting = {};
  grid.selected.clear();
  for (let at = from; at <= to && grid.rows.at(at); at += 1) grid.selected.add(grid.rows.at(at).id);
  if (grid.selected.size < to - from + 1) await readRange(grid, from, to, request);
  grid.draw();
  grid.tellFigures();
}

async function readRange(grid, from, to, request) {
  grid.selected.clear();
  try {
    const ids = await identities(grid.rows.question, from, to);
    if (grid.selecting !== request) return;
    for (const id of ids) grid.selected.add(id);
  } catch (error) {
    if (grid.selecting === request) grid.failed?.(error);
  }
}

async function identities({ className, where, sort }, from, to) {
  const question = { ...(where ? { where } : {}), ...(sort?.length ? { sort: sortText(sort) } : {}) };
  return (await ask(path('identities', className), { ...question, from, to })).ids;
}

/** The selected rows, or the active one, with their values. */
export async function readChosen(grid) {
  const ids = grid.chosenIds;
  const rows = new Map(grid.rows.blocks.flatMap((block) => block.rows.map((row) => [row.id, row])));
  const missing = ids.filter((id) => !rows.has(id));
  for (let at = 0; at < missing.length; at += mostAsked) {
    const answer = await ask(path('objects', grid.className), { ids: missing.slice(at, at + mostAsked).join(',') });
    for (const row of answer.rows) rows.set(row.id, row);
  }
  return ids.map((id) => rows.get(id)).filter(Boolean);
}
