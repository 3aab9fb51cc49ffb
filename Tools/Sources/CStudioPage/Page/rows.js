// The objects that answer a question, read in blocks where they are looked at.

import { ask, path, sortText } from './api.js';

const blockSize = 100;
const blocksKept = 20;
const pause = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));

/**
 * Rows of a question `{ className, where, sort }` by their position. Blocks are parts of the answer
 * that were read: each begins after the key of the one before, so that reading on costs the same
 * everywhere.
 *
 * `told(what, detail)` hears of `rows`, `total`, `moved`, `waiting`, `progress` and `failed`.
 */
export class Rows {
  constructor(question, told) {
    this.question = question;
    this.told = told;
    this.blocks = [];
    // One more than is known, while there may be more: so that there is something to scroll to.
    this.total = 0;
    this.isExact = false;
    this.columns = null;
    this.milliseconds = null;
    this.wanted = null;
    this.request = null;
    this.isStopped = false;
    // After a refusal nothing is asked until something has changed.
    this.hasFailed = false;
  }

  stop() {
    this.isStopped = true;
    this.request?.abort();
  }

  /** The row at a position; undefined where it isn't read. */
  at(position) {
    const block = this.blocks.find(({ start, rows }) => start <= position && position < start + rows.length);
    return block?.rows[position - block.start];
  }

  positionOf(id) {
    for (const block of this.blocks) {
      const index = block.rows.findIndex((row) => row.id === id);
      if (index >= 0) return block.start + index;
    }
    return -1;
  }

  setTotal(total, isExact) {
    this.total = isExact ? total : Math.max(total, this.#readTo()) + 1;
    this.isExact = isExact;
    this.told('total');
  }

  /** Reads what is missing in a range of positions, the latest range first. */
  want(from, to) {
    this.wanted = { from: Math.max(0, from), to };
    if (this.hasFailed) return;
    if (this.request && !this.#isWorthwhile(this.request.gap)) this.request.abort();
    if (!this.request) this.#readOn();
  }

  #isWorthwhile(gap) {
    return gap.start < this.wanted.to + blockSize && gap.start + gap.limit > this.wanted.from - blockSize;
  }

  async #readOn() {
    while (!this.isStopped && !this.hasFailed && !this.request) {
      const gap = this.#nextGap();
      if (!gap) return;
      await this.#read(gap);
    }
  }

  #nextGap() {
    if (!this.wanted) return null;
    const end = this.isExact ? Math.min(this.wanted.to, this.total) : this.wanted.to;
    if (!this.columns && !this.blocks.length) return this.#gapAt(this.wanted.from);
    for (let position = this.wanted.from; position < end; position += 1) {
      if (!this.at(position)) return this.#gapAt(position);
    }
    return null;
  }

  /** Which request reads a position: from the key of a neighbour, or by its number. */
  #gapAt(position) {
    const ends = this.blocks.filter((block) => block.start <= position);
    const previous = ends.length ? ends.reduce((a, b) => (a.start > b.start ? a : b)) : null;
    const later = this.blocks.filter((block) => block.start > position);
    const next = later.length ? later.reduce((a, b) => (a.start < b.start ? a : b)) : null;
    const start = previous ? previous.start + previous.rows.length : 0;
    const end = next ? next.start : Infinity;
    if (previous?.last && position - start < blockSize) {
      return { start, limit: Math.min(blockSize, end - start), query: { after: previous.last } };
    }
    if (!previous && position < blockSize) {
      return { start: 0, limit: Math.min(blockSize, end), query: {} };
    }
    if (next?.first && end - position <= blockSize) {
      const limit = Math.min(blockSize, end - start);
      return { start: end - limit, limit, query: { before: next.first }, next };
    }
    const at = Math.max(start, Math.floor(position / blockSize) * blockSize);
    return { start: at, limit: Math.min(blockSize, end - at), query: { at } };
  }

  async #read(gap) {
    const request = new AbortController();
    request.gap = gap;
    this.request = request;
    const waiting = setTimeout(() => this.told('waiting', true), 300);
    try {
      const answer = await this.#ask({ ...gap.query, limit: gap.limit }, request.signal);
      if (this.isStopped || this.request !== request) return;
      this.#take(gap, answer);
    } catch (error) {
      if (error.name !== 'AbortError' && !this.isStopped) this.#fail(error);
    } finally {
      clearTimeout(waiting);
      this.told('waiting', false);
      const isLatest = this.request === request;
      if (isLatest) this.request = null;
    }
  }

  async #ask(query, signal) {
    const { className, where, sort } = this.question;
    const whole = { ...query };
    if (where) whole.where = where;
    if (sort?.length) whole.sort = sortText(sort);
    for (;;) {
      const answer = await ask(path('objects', className), whole, signal);
      if (!('progress' in answer)) return answer;
      this.told('progress', answer.progress);
      await pause(200);
      if (signal.aborted) throw new DOMException('', 'AbortError');
    }
  }

  #fail(error) {
    if (error.code === 'key') this.blocks = [];
    this.hasFailed = error.code !== 'key';
    this.told('failed', error);
  }

  #take(gap, answer) {
    this.columns = answer.columns;
    this.milliseconds = answer.milliseconds;
    this.told('progress', null);
    let { start } = gap;
    if (gap.next && answer.rows.length < gap.limit) start = this.#shiftToBeginning(gap.next, answer.rows.length);
    else if (gap.next) start = gap.next.start - answer.rows.length;
    else if ('at' in gap.query) start = answer.position ?? start;
    this.#put({ start, rows: answer.rows, first: answer.first, last: answer.last });
    if (!gap.next && answer.rows.length < gap.limit) this.#end(start + answer.rows.length);
    else if (!this.isExact) this.total = Math.max(this.total, this.#readTo() + 1);
    this.told('rows');
  }

  /** The beginning came sooner than positions said: objects before were deleted meanwhile. */
  #shiftToBeginning(next, count) {
    const by = count - next.start;
    for (const block of this.blocks) block.start += by;
    this.told('moved', by);
    return 0;
  }

  #put(block) {
    const end = block.start + block.rows.length;
    this.blocks = this.blocks.filter(({ start, rows }) => start >= end || start + rows.length <= block.start);
    this.blocks.push(block);
    if (this.blocks.length <= blocksKept) return;
    const middle = this.wanted ? (this.wanted.from + this.wanted.to) / 2 : block.start;
    this.blocks.sort((a, b) => Math.abs(a.start - middle) - Math.abs(b.start - middle));
    this.blocks.length = blocksKept;
  }

  #end(total) {
    this.total = total;
    this.isExact = true;
    this.blocks = this.blocks.filter(({ start }) => start < total);
    this.told('total');
  }

  #readTo() {
    return this.blocks.reduce((end, { start, rows }) => Math.max(end, start + rows.length), 0);
  }

  /**
   * Reads what is visible again, after a commit. Gives what is different, by identity, or null if
   * nothing could be compared.
   */
  async refresh(from, to) {
    this.hasFailed = false;
    const block = this.blocks.find(({ start, rows }) => start <= from && from < start + rows.length);
    if (!block) {
      this.blocks = [];
      this.want(from, to);
      return null;
    }
    this.request?.abort();
    const query = block.start === 0 ? {} : { from: block.first };
    const limit = Math.min(400, Math.max(blockSize, Math.ceil((to - block.start) / blockSize) * blockSize));
    const request = new AbortController();
    request.gap = { start: block.start, limit };
    this.request = request;
    try {
      const answer = await this.#ask({ ...query, limit }, request.signal);
      if (this.isStopped || this.request !== request) return null;
      return this.#replace(block.start, limit, answer);
    } catch (error) {
      if (error.name !== 'AbortError' && !this.isStopped) this.#fail(error);
      return null;
    } finally {
      if (this.request === request) this.request = null;
    }
  }

  #replace(start, limit, answer) {
    const before = new Map(this.blocks.filter((block) => block.start >= start).flatMap(({ rows }) => rows.map((row) => [row.id, row])));
    const hadEnd = this.isExact && this.#readTo() >= this.total;
    const changes = compare(before, answer, hadEnd);
    const position = answer.position != null && start !== 0 ? answer.position : start;
    this.columns = answer.columns;
    this.blocks = [{ start: position, rows: answer.rows, first: answer.first, last: answer.last }];
    if (answer.rows.length < limit) this.#end(position + answer.rows.length);
    else this.total = Math.max(this.total, position + answer.rows.length);
    return changes;
  }
}

/**
 * New rows and changed columns. A row after the last known one is new only if the end was known:
 * otherwise it may have been there, unread.
 */
function compare(before, answer, hadEnd) {
  const changes = { inserted: new Set(), modified: new Map() };
  let last = answer.rows.length - 1;
  while (!hadEnd && last >= 0 && !before.has(answer.rows[last].id)) last -= 1;
  answer.rows.forEach((row, index) => {
    const old = before.get(row.id);
    if (!old) {
      if (index <= last) changes.inserted.add(row.id);
      return;
    }
    const columns = row.values.flatMap((value, column) =>
      JSON.stringify(value) === JSON.stringify(old.values[column]) ? [] : [column]);
    if (columns.length) changes.modified.set(row.id, columns);
    else answer.rows[index] = old;
  });
  return changes;
}
