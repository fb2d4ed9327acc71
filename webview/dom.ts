/** Builds elements. Text is always text: nothing from a host, a card or a tool is ever read as markup. */
type Child = Node | string | undefined;
type Attributes = Record<string, string | boolean | ((event: Event) => void) | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (typeof value === 'string') element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children.filter((child) => child !== undefined));
}

const MARKS: Record<string, string> = { pass: '✓', accepted: '✓', measured: '✓', completed: '✓', fail: '✗', rejected: '✗', failed: '✗', inconclusive: '?', interrupted: '!', cancelled: '!', 'connection-lost': '!', running: '…', 'not-run': '–' };

/** A state in words with a mark: colour alone never carries it. */
export function badge(state: string, testId?: string): HTMLElement {
  return h('span', { class: `badge ${state}`, ...(testId ? { 'data-testid': testId } : {}) }, h('span', { 'aria-hidden': 'true' }, MARKS[state] ?? '·'), ` ${state.replace('-', ' ')}`);
}

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h('section', { id, 'data-testid': id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...children);
}

export function table(head: readonly string[], rows: readonly (readonly (Node | string)[])[], caption: string): HTMLTableElement {
  return h(
    'table',
    {},
    h('caption', { class: 'hidden' }, caption),
    h('thead', {}, h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text)))),
    h('tbody', {}, ...rows.map((cells) => h('tr', {}, ...cells.map((cell) => h('td', {}, cell))))),
  );
}
