// Which rows are in sight, and where they are in the body.

export const rowHeight = 28;
// Browsers end between 17 and 33 million pixels: taller bodies are scaled.
const tallest = 8000000;

/** `top` is where the view is in the whole answer, in pixels of rows that aren't scaled. */
export class Viewport {
  constructor({ element, heads, body, moved }) {
    Object.assign(this, { element, heads, body, moved });
    this.top = 0;
    this.total = 0;
    element.addEventListener('scroll', () => this.#scrolled());
    element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
  }

  setTotal(total) {
    const isLess = total < this.total;
    if (total !== this.total) this.body.style.height = `${Math.min(total * rowHeight, tallest)}px`;
    this.total = total;
    // A scaled body may be as tall as before, and then nothing scrolls by itself.
    if (isLess && this.#isScaled && this.top > this.#furthest) this.scrollTo(this.top);
  }

  get height() {
    return Math.max(0, this.element.clientHeight - this.heads.offsetHeight);
  }

  get rowsInSight() {
    return Math.max(1, Math.floor(this.height / rowHeight) - 1);
  }

  get range() {
    const from = Math.floor(this.top / rowHeight);
    return { from, to: Math.min(this.total, from + Math.ceil(this.height / rowHeight) + 1) };
  }

  get #isScaled() {
    return this.total * rowHeight > tallest;
  }

  get #furthest() {
    return Math.max(0, this.total * rowHeight - this.height);
  }

  /** How far the body scrolls. */
  get #room() {
    return Math.min(this.total * rowHeight, tallest) - this.height;
  }

  /** Where a row is in the body, which moves against the rows where it is scaled. */
  topOf(position) {
    return position * rowHeight + (this.#isScaled ? Math.round(this.element.scrollTop - this.top) : 0);
  }

  scrollTo(top) {
    this.top = Math.max(0, Math.min(top, this.#furthest));
    this.element.scrollTop = this.#isScaled ? (this.top / this.#furthest) * this.#room : this.top;
    this.lastSet = this.element.scrollTop;
    this.moved();
  }

  /** Brings a row into sight. */
  reveal(position) {
    const top = position * rowHeight;
    if (position >= 0 && top < this.top) this.scrollTo(top);
    if (top + rowHeight > this.top + this.height) this.scrollTo(top + rowHeight - this.height);
  }

  #scrolled() {
    const { scrollTop } = this.element;
    if (!this.#isScaled) {
      this.top = scrollTop;
    } else if (Math.abs(scrollTop - this.lastSet) > 1) {
      this.top = Math.min(this.#furthest, (scrollTop / this.#room) * this.#furthest);
      this.lastSet = scrollTop;
    }
    this.moved();
  }

  /** A scaled body moves by many rows for each pixel; the wheel moves by what it says. */
  #wheel(event) {
    if (!this.#isScaled || event.ctrlKey || event.shiftKey || !event.deltaY) return;
    event.preventDefault();
    const unit = [1, rowHeight, this.height][event.deltaMode];
    this.element.scrollLeft += event.deltaX * unit;
    this.scrollTo(this.top + event.deltaY * unit);
  }
}
