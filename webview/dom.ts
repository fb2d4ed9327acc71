import type { PageMessage } from '../core/messages/workbench';

/** What a click asks the page itself to do; everything else is a message to the host. */
export type PageAction = { do: 'filter'; state: string } | { do: 'close-raw' };

/**
 * Builds elements. Text is always text: nothing from a host, a card or a tool is ever read as markup.
 * `send` is the message that a click posts; it lives in an attribute, so that a redraw can keep the element.
 */
type Child = Node | string | undefined | false;
type Attributes = Record<string, string | boolean | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
    else if (typeof value === 'string') element.setAttribute(name, value);
  }
  element.append(...present(children));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Sizes of bars are attributes of a picture: the page's policy forbids styles in attributes. */
export function svg(tag: string, attributes: Record<string, string>, ...children: Node[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const present = (children: readonly Child[]): (Node | string)[] => children.filter((child) => child !== undefined && child !== false);

export function sendButton(message: PageMessage, text: string, attributes: Attributes = {}): HTMLElement {
  return h('button', { type: 'button', 'data-send': JSON.stringify(message), ...attributes }, text);
}

export function actionButton(action: PageAction, text: string, attributes: Attributes = {}): HTMLElement {
  return h('button', { type: 'button', 'data-action': JSON.stringify(action), ...attributes }, text);
}

/**
 * Makes the children of `parent` equal to the given ones, and keeps the elements that are already right: focus, selection, scroll
 * position and what the reader has unfolded survive. `data-key` tells which element is which.
 */
export function update(parent: Element, ...children: Child[]): void {
  const wanted = present(children).map((child) => (typeof child === 'string' ? document.createTextNode(child) : child));
  const byKey = new Map([...parent.children].flatMap((child) => (keyOf(child) === undefined ? [] : [[keyOf(child)!, child] as const])));
  let current: ChildNode | null = parent.firstChild;
  for (const node of wanted) {
    const key = keyOf(node);
    const match = key === undefined ? (current && keyOf(current) === undefined ? current : undefined) : byKey.get(key);
    if (match && match.nodeName === node.nodeName) {
      if (match === current) current = match.nextSibling;
      else parent.insertBefore(match, current);
      // The same element again: whoever made it looks after its inside.
      if (match !== node) updateNode(match, node);
    } else {
      parent.insertBefore(node, current);
    }
  }
  while (current) {
    const next: ChildNode | null = current.nextSibling;
    current.remove();
    current = next;
  }
}

const keyOf = (node: Node): string | undefined => (node instanceof Element ? (node.getAttribute('data-key') ?? undefined) : undefined);

function updateNode(node: Node, wanted: Node): void {
  if (!(node instanceof Element) || !(wanted instanceof Element)) {
    if (node.nodeValue !== wanted.nodeValue) node.nodeValue = wanted.nodeValue;
    return;
  }
  // Whether details are open is the reader's choice.
  const isKept = (name: string): boolean => name === 'open';
  for (const { name } of [...node.attributes]) if (!wanted.hasAttribute(name) && !isKept(name)) node.removeAttribute(name);
  for (const { name, value } of [...wanted.attributes]) if (node.getAttribute(name) !== value && !isKept(name)) node.setAttribute(name, value);
  update(node, ...wanted.childNodes);
  if (node instanceof HTMLSelectElement && wanted instanceof HTMLSelectElement) node.value = wanted.value;
}

const MARKS: Record<string, string> = { pass: '✓', accepted: '✓', measured: '✓', completed: '✓', fail: '✗', rejected: '✗', failed: '✗', inconclusive: '?', interrupted: '!', cancelled: '!', 'connection-lost': '!', running: '●', 'not-run': '–' };

/** A state in words with a mark: colour alone never carries it. */
export function badge(state: string, testId?: string): HTMLElement {
  return h('span', { class: `badge ${state}`, ...(testId ? { 'data-testid': testId } : {}) }, h('span', { class: 'mark', 'aria-hidden': 'true' }, MARKS[state] ?? '·'), state.replace('-', ' '));
}

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h('section', { id, 'data-key': id, 'data-testid': id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...children);
}

export function table(head: readonly string[], rows: readonly HTMLTableRowElement[], caption: string, attributes: Attributes = {}): HTMLTableElement {
  return h('table', attributes, h('caption', { class: 'hidden' }, caption), h('thead', {}, h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text)))), h('tbody', {}, ...rows));
}

/** Room for something wide; it can be scrolled by keyboard too. */
export const scrollable = (label: string, child: Child): HTMLElement => h('div', { class: 'scroll', role: 'region', tabindex: '0', 'aria-label': label }, child);

export const row = (key: string, ...cells: HTMLElement[]): HTMLTableRowElement => h('tr', { 'data-key': key }, ...cells);
export const cell = (name: string, ...children: Child[]): HTMLTableCellElement => h('td', { class: name }, ...children);

/** A cell that still says what it holds where the page is too narrow for the table's head. */
export const labelledCell = (label: string, name: string, ...children: Child[]): HTMLTableCellElement => h('td', { class: name, 'data-label': label }, ...children);
