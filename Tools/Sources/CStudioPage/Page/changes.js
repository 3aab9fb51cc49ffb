// Sends changes, and takes them back.

import { path, post, upload } from './api.js';
import { button, notice, say } from './dom.js';
import { isWritable, model, tell } from './model.js';
import { plainName } from './values.js';

const steps = { undo: 0, redo: 0 };
let last = Promise.resolve();

/** One after the other: a key may be pressed before the answer to the one before is here. */
function inTurn(ask) {
  const answer = last.then(ask);
  last = answer.catch(() => {});
  return answer;
}

/** All or nothing. A refusal is thrown: whoever asked keeps what was typed. */
export const change = (changes) => inTurn(async () => took(await post('/api/changes', { changes })));

export const putData = (className, id, name, file, was) =>
  inTurn(async () => took(await upload(path('data', className, id, name), 'PUT', file, { was: JSON.stringify(was) })));

export async function importFile(className, file, query) {
  const answer = await upload(path('import', className), 'POST', file, query);
  return query.dry === 'true' ? answer : took(answer);
}

function took(answer) {
  if (answer.backup && !model.file.backup) {
    model.file.backup = answer.backup;
    notice(`Before this first change the file was copied to '${plainName(answer.backup)}'.`, { kind: 'told' });
  }
  tellLostSteps(answer);
  count(answer);
  tell('changed');
  return answer;
}

/** A value that no property could have had, and much at once, aren't kept: nothing before can be taken back. */
function tellLostSteps({ undo }) {
  if (steps.undo > 0 && undo === 0) notice("This can't be undone, and neither can what was done before.", { kind: 'told' });
}

function count({ undo, redo }) {
  Object.assign(steps, { undo: undo ?? steps.undo, redo: redo ?? 0 });
  tell('steps');
}

/** Changes that nobody waits for: a refusal is told. */
export async function tryChange(changes, done) {
  try {
    const answer = await change(changes);
    if (done) say(done);
    return answer;
  } catch (error) {
    notice(error.message);
    return null;
  }
}

async function step(name) {
  if (!isWritable() || !steps[name]) return;
  try {
    const answer = await post(`/api/${name}`, {});
    say(`${name === 'undo' ? 'Undone' : 'Done again'}: ${plainName(answer.done)}.`);
    count(answer);
    tell('changed');
  } catch (error) {
    notice(error.message);
  }
}

export const undo = () => inTurn(() => step('undo'));
export const redo = () => inTurn(() => step('redo'));

/** Undo and redo, in the bar. */
export function drawEditTools(host) {
  if (!isWritable()) return host.replaceChildren();
  const tools = [button('Undo (Ctrl+Z)', undo, { image: 'undo' }), button('Redo (Ctrl+Shift+Z)', redo, { image: 'redo' })];
  tools[0].disabled = !steps.undo;
  tools[1].disabled = !steps.redo;
  host.replaceChildren(...tools);
}

export function takeSteps() {
  count(model.file);
}
