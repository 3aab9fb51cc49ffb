// Elements, menus and dialogs. Text of a file reaches the page here, and only as text.

/** Makes an element: attributes by name, listeners under "on…", children as nodes or text. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

export const find = (id) => document.getElementById(id);

const paths = {
  menu: 'M2 4h12M2 8h12M2 12h12', close: 'm4 4 8 8m0-8-8 8', back: 'M10 3 5 8l5 5', down: 'm4 6 4 4 4-4',
  expand: 'M9 2h5v5M14 2 8.5 7.5M7 14H2V9m0 5 5.5-5.5', columns: 'M2.5 3h11v10h-11zM6 3v10M10 3v10',
  undo: 'M6 3 2.5 6.5 6 10M3 6.5h6a4 4 0 0 1 0 8H6', redo: 'm10 3 3.5 3.5L10 10M13 6.5H7a4 4 0 0 0 0 8h3',
  save: 'M8 2v8M4.5 7 8 10.5 11.5 7M3 13.5h10',
};

export const svgName = 'http://www.w3.org/2000/svg';

/** Makes an element of SVG. */
export function drawn(tag, attributes = {}, ...children) {
  const element = document.createElementNS(svgName, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A small drawing. Its name is told by the button around it. */
export const icon = (name) =>
  drawn('svg', { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true' }, drawn('path', { d: paths[name] }));

export function button(label, run, { image, kind = '', title, key } = {}) {
  const shown = image ? icon(image) : label;
  return el('button', {
    type: 'button', class: image ? `quiet ${kind}` : kind, onclick: run,
    'aria-label': image ? label : null, 'aria-keyshortcuts': key,
    title: title ?? (image ? label : null),
  }, shown);
}

/** Waits until nothing was asked for some time; the last one counts. */
export function settled(milliseconds, run) {
  let timer;
  const later = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...values), milliseconds);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

export const grouped = (number) => Number(number).toLocaleString('en');
export const counted = (number, one, many = one + 's') =>
  `${grouped(number)} ${number === 1 ? one : many}`;

export function sizeText(bytes) {
  if (bytes == null) return 'unknown';
  const units = ['kB', 'MB', 'GB', 'TB'];
  if (bytes < 1000) return counted(bytes, 'byte');
  let unit = -1;
  let size = bytes;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

/** Grey bars in the place of what is being read. */
export const ghosts = (text, ...others) => el('div', { class: 'waiting' }, text ? el('p', { class: 'dim' }, text) : null,
  el('span', { class: 'ghost' }), el('span', { class: 'ghost' }), others);

/** The line at the bottom, which screen readers read. */
export function say(text) {
  find('said').textContent = text;
}

/** A sentence that must not be missed. It stays until it is closed, or for some seconds. */
export function notice(text, { kind = 'mistake', actions = [], stays = kind === 'mistake' } = {}) {
  const box = el('div', { class: `notice ${kind}` }, el('span', {}, text));
  const close = () => box.remove();
  for (const [label, run] of actions) {
    box.append(button(label, () => { close(); run(); }));
  }
  box.append(button('Close', close, { image: 'close' }));
  find('notices').append(box);
  if (!stays) setTimeout(close, 8000);
  return close;
}

/** Puts what floats beside its anchor, inside of the window. */
function placeBeside(floating, { left, bottom, top, right }) {
  const { offsetWidth: width, offsetHeight: height } = floating;
  const x = Math.max(8, Math.min(left, innerWidth - width - 8, right ? right - 40 : Infinity));
  const fits = bottom + height + 8 <= innerHeight || top - height < 8;
  floating.style.left = `${x}px`;
  floating.style.top = `${fits ? Math.min(bottom + 4, Math.max(8, innerHeight - height - 8)) : top - height - 4}px`;
}

/** Where a pointer is, as a place for what floats. */
export const pointOf = ({ clientX, clientY }) => ({ left: clientX, top: clientY, bottom: clientY });

/** A popover with any content, which Escape and a click beside it close. */
export function openPopover(anchor, content, { kind = '', label } = {}) {
  const box = el('div', { class: `popover ${kind}`, popover: 'auto', role: 'dialog', 'aria-label': label, tabindex: '-1' }, content);
  const before = document.activeElement;
  document.body.append(box);
  box.addEventListener('toggle', (event) => {
    if (event.newState !== 'closed') return;
    const hadFocus = box.contains(document.activeElement) || document.activeElement === document.body;
    box.remove();
    if (hadFocus && before?.isConnected) before.focus({ preventScroll: true });
  });
  box.showPopover();
  placeBeside(box, anchor.getBoundingClientRect?.() ?? anchor);
  box.focus({ preventScroll: true });
  return box;
}

/** A menu of `{ text, hint, run, checked, off }`, or `null` for a line. */
export function openMenu(anchor, items) {
  const entries = items.map((item) => item === null ? el('hr') : el('button', {
    type: 'button', role: item.checked === undefined ? 'menuitem' : 'menuitemcheckbox',
    'aria-checked': item.checked === undefined ? null : String(item.checked),
    disabled: item.off === true, tabindex: '-1',
    onclick: () => { box.hidePopover(); item.run(); },
  }, el('span', { class: 'check' }, item.checked ? '✓' : ''), el('span', {}, item.text), item.hint ? el('kbd', {}, item.hint) : null));
  const box = openPopover(anchor, entries, { kind: 'menu', label: 'Menu' });
  box.setAttribute('role', 'menu');
  const buttons = [...box.querySelectorAll('button:enabled')];
  buttons[0]?.focus();
  box.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = buttons.indexOf(document.activeElement) + step;
    buttons.at(next % buttons.length)?.focus();
  });
  return box;
}

/**
 * A dialog. Its answer is the value of the button that closed it, or null. A button's `run` may
 * refuse by throwing: then the dialog stays, and shows why.
 */
export function openDialog(title, content, buttons, { kind = '', opened } = {}) {
  return new Promise((resolve) => {
    const mistake = el('p', { class: 'mistake', role: 'alert', hidden: true });
    const dialog = el('dialog', { class: kind, 'aria-label': title });
    const finish = (value) => { resolve(value); dialog.close(); };
    const act = async (choice) => {
      try {
        finish(choice.run ? await choice.run() : choice.value);
      } catch (error) {
        mistake.textContent = error.message;
        mistake.hidden = false;
      }
    };
    const form = el('form', { method: 'dialog', onsubmit: (event) => {
      event.preventDefault();
      const main = buttons.find((choice) => choice.main);
      if (main) act(main);
    } }, el('h2', {}, title), el('div', { class: 'content' }, content), mistake,
    el('div', { class: 'buttons' }, buttons.map((choice) => el('button', {
      type: choice.main ? 'submit' : 'button', class: choice.main ? `main ${choice.kind ?? ''}` : '',
      onclick: choice.main ? null : () => act(choice),
    }, choice.text))));
    dialog.append(form);
    dialog.addEventListener('close', () => { resolve(null); dialog.remove(); });
    document.body.append(dialog);
    dialog.showModal();
    opened?.(dialog, finish);
  });
}

/** Copies a text, or what a promise gives. */
export async function copyText(text, what) {
  let all;
  try {
    all = await text;
  } catch (error) {
    return notice(error.message);
  }
  try {
    await navigator.clipboard.writeText(all);
    say(`Copied ${what}.`);
  } catch {
    notice('The browser does not permit copying.');
  }
}

/** Saves what the page has as a file. */
export function saveBlob(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = el('a', { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
