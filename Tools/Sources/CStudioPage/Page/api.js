// Requests to the studio's server, and its streams of events.

/** A refusal of the server: its sentence, and a code that the page can act upon. */
class Refusal extends Error {
  constructor(status, body) {
    super(body?.error ?? `The studio answered with ${status}.`);
    this.status = status;
    this.code = body?.code ?? null;
    this.body = body ?? {};
  }
}

const key = takeKey();

/**
 * The key of this studio. It leaves the address before anything else happens, so that no copied
 * address and no history has it.
 */
function takeKey() {
  const match = /^#key=([^&]+)$/.exec(location.hash);
  if (match) {
    history.replaceState(null, '', location.pathname);
    localStorage.setItem('strata.key', match[1]);
  }
  return localStorage.getItem('strata.key') ?? '';
}

/** The path of an endpoint: names may have any character. */
export const path = (...parts) => '/api/' + parts.map((part) => encodeURIComponent(part)).join('/');

/** The names of properties, with directions, as the parameter 'sort'. */
export const sortText = (keys) =>
  keys.map((key) => encodeURIComponent((key.descending ? '-' : '') + key.name)).join(',');

async function send(address, { query, signal, method = 'GET', body, type } = {}) {
  const text = query ? '?' + new URLSearchParams(query) : '';
  const headers = { 'Strata-Key': key };
  if (body !== undefined) headers['Content-Type'] = type ?? 'application/json';
  let answer;
  try {
    answer = await fetch(address + text, { method, headers, body, signal, cache: 'no-store' });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refusal(0, { error: 'The studio does not answer.', code: 'away' });
  }
  if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => null));
  return answer;
}

export async function ask(address, query, signal) {
  return (await send(address, { query, signal })).json();
}

/** The bytes of a property, for images and files. */
export async function bytes(address, signal) {
  return (await send(address, { signal })).blob();
}

export async function text(address, signal) {
  const all = await (await send(address, { signal })).arrayBuffer();
  // A mark at its beginning is a part of a text.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(all);
}

export async function post(address, value) {
  return (await send(address, { method: 'POST', body: JSON.stringify(value) })).json();
}

export async function upload(address, method, file, query) {
  const type = 'application/octet-stream';
  return (await send(address, { method, body: file, type, query })).json();
}

/**
 * Reads a stream of events until it ends. `EventSource` can't send the key, so the lines are read
 * here.
 */
export async function events(address, heard, signal, query) {
  const answer = await send(address, { signal, query });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    for (let end; (end = rest.indexOf('\n\n')) >= 0; rest = rest.slice(end + 2)) {
      hear(rest.slice(0, end), heard);
    }
  }
}

function hear(block, heard) {
  let name = 'message';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    if (line.startsWith('data:')) data += line.slice(5);
  }
  if (data) heard(name, JSON.parse(data));
}
