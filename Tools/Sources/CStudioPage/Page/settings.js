// What the page remembers of a file: columns, earlier conditions, the zone of times. The studio keeps
// it, because a browser keeps such things for a port, which is another one each time.

import { ask, path, post } from './api.js';

let kept = new Map();

export async function loadSettings() {
  const { settings } = await ask(path('settings')).catch(() => ({ settings: {} }));
  kept = new Map(Object.entries(settings));
}

/** What is kept under a name; null for nothing. */
export const setting = (name) => kept.get(name) ?? null;

/** Keeps a text; null for nothing any more. Where it can't be kept, this page still has it. */
export function keepSetting(name, value) {
  if (value === null) kept.delete(name);
  else kept.set(name, value);
  post(path('settings'), { name, value }).catch(() => {});
}
