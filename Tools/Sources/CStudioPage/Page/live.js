// Hears of commits, and has what is seen read again.

import { events, path } from './api.js';
import { find, settled } from './dom.js';
import { model, tell } from './model.js';

// Two readings in a second are enough for eyes, and leave the server time for others.
const shortestPause = 500;
const waits = [1000, 2000, 4000];

/** Connects, again and again. `acts` has what an event leads to. */
export function listenToFile(acts) {
  const refresh = refresher(acts);
  const recount = settled(500, () => acts.recount());
  const heard = (name, data) => {
    if (name === 'hello') return greet(data, () => { refresh(); recount(); });
    if (name === 'commit') {
      model.version = data.version;
      refresh();
      recount();
    }
    if (name === 'schema') acts.migrated(data);
    if (name === 'outdated') acts.outdated(data);
    if (name === 'copied') {
      model.version = data.version;
      acts.copied();
    }
    if (name === 'progress') tell('progress', data);
    if (name === 'ended') {
      acts.ended();
      end(data.reason);
    }
  };
  connect(heard);
}

let hasEnded = false;

function end(reason) {
  hasEnded = true;
  show('ended', reason ?? 'the studio has ended');
}

/** The first words of a connection. Commits may have been missed since the one before. */
function greet({ version, writable }, refresh) {
  show('on', 'live');
  tell('writable', writable);
  if (model.version && model.version !== version) refresh();
  model.version = version;
}

/**
 * A browser has six connections for a studio. So one page has the stream of events for all that are
 * seen, and tells the others; where it goes, or isn't seen any more, the next one takes its place.
 */
async function connect(heard) {
  const pages = new BroadcastChannel('strata-events');
  pages.onmessage = ({ data: { name, data } }) => { if (!document.hidden) heard(name, data); };
  let lost = null;
  for (let tries = 0; !hasEnded; tries += 1) {
    await seen();
    const stop = new AbortController();
    document.addEventListener('visibilitychange', () => stop.abort(), { once: true });
    const own = (name, data) => { lost = null; tries = 0; heard(name, data); };
    const forAll = (name, data) => { own(name, data); pages.postMessage({ name, data }); };
    try {
      // What is so already; later ones come from the page that has the stream.
      await events(path('events'), own, stop.signal, { now: 1 });
      await navigator.locks.request('strata-events', { signal: stop.signal }, () => events(path('events'), forAll, stop.signal));
    } catch (error) {
      if (error.status === 401) return show('ended', 'not permitted');
    }
    if (hasEnded) return;
    if (stop.signal.aborted) continue;
    lost ??= Date.now();
    if (Date.now() - lost > 10000) show('ended', 'the studio has ended');
    else show('off', 'not connected');
    await new Promise((resume) => setTimeout(resume, waits[Math.min(tries, waits.length - 1)]));
  }
}

async function seen() {
  while (document.hidden) {
    await new Promise((resume) => document.addEventListener('visibilitychange', resume, { once: true }));
  }
}

function show(state, text) {
  const place = find('live');
  place.dataset.state = state;
  place.lastElementChild.textContent = text;
  place.title = state === 'on' ? 'Commits of other programs are shown at once' : '';
}

/** At most two refreshes a second, and one after the last commit. */
function refresher(acts) {
  let isRunning = false;
  let isDue = false;
  return async function run() {
    isDue = isRunning;
    if (isRunning) return;
    isRunning = true;
    await Promise.all([acts.refresh(), new Promise((resume) => setTimeout(resume, shortestPause))]);
    isRunning = false;
    if (isDue) run();
  };
}
