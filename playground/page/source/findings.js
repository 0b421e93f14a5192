// The panel of findings: what, where, what to write instead, and what the code means.

import { element, explanation, prose } from './elements.js';

const MARKS = { error: '✕', warning: '!', note: 'i' };

/** Shows findings; `select` goes to a place, `change` makes the edits of a fix. */
export function showFindings(panel, { diagnostics, codes }, { select, change, fixAll }) {
  const opened = new Set([...panel.querySelectorAll('details[open]')].map((open) => open.dataset.code));
  const fixable = diagnostics.filter((found) => found.fix).length;
  const items = diagnostics.map((found) => {
    const [place] = found.labels;
    const { title = '', explanation: text = '' } = codes[found.code] ?? {};
    return element('article', { class: `finding ${found.severity}` },
      element('h2', {},
        element('span', { class: 'mark', 'aria-hidden': 'true' }, MARKS[found.severity]),
        `${found.severity} ${found.code}`,
        place && element('button', {
          type: 'button', class: 'place', onclick: () => select(place.start, place.end),
        }, `line ${place.start.line}, column ${place.start.column}`)),
      element('p', { class: 'message' }, prose(found.message)),
      found.labels.filter((label) => label.text).map((label) => element('p', { class: 'quiet' },
        element('button', { type: 'button', class: 'place', onclick: () => select(label.start, label.end) },
          `line ${label.start.line}`), ' ', prose(label.text))),
      found.help && element('p', { class: 'help' }, element('b', {}, 'Help: '), prose(found.help)),
      found.fix && element('button', { type: 'button', class: 'fix', onclick: () => change(found.fix.edits) },
        `Fix: ${found.fix.title}`),
      element('details', { 'data-code': found.code, open: opened.has(found.code) },
        element('summary', {}, `What ${found.code} means`),
        element('h3', {}, title), explanation(text)));
  });
  panel.replaceChildren(
    ...(fixable > 1 ? [element('p', {}, element('button', { type: 'button', class: 'fix', onclick: fixAll }, 'Make all fixes'))] : []),
    ...(items.length ? items : [element('p', { class: 'empty' }, 'Nothing found: no error, no warning, no note.')]),
  );
}

/** How many findings there are, in words. */
export function counted(diagnostics) {
  const words = ['error', 'warning', 'note'].flatMap((severity) => {
    const count = diagnostics.filter((found) => found.severity === severity).length;
    return count ? [`${count} ${severity}${count === 1 ? '' : 's'}`] : [];
  });
  return words.join(', ') || 'no findings';
}
