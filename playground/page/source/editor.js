// The editor of the rulebook, and texts that are only read.

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers,
} from '@codemirror/view';
import { element } from './elements.js';
import { languages } from './languages.js';

// The nonce of the page's policy: the editor's own style sheet is the only one that is put in.
const nonce = EditorView.cspNonce.of('editor');

/** Where a place of a finding stands in a document: lines and columns count from 1, in characters. */
export function offset(doc, { line, column }) {
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(line);
  let at = 0;
  for (let left = column - 1; left > 0 && at < text.length; left -= 1) {
    at += text.codePointAt(at) > 0xffff ? 2 : 1;
  }
  return from + at;
}

export class RulebookEditor {
  constructor(parent, text, onChange) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          nonce,
          lineNumbers(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          history(),
          drawSelection(),
          bracketMatching(),
          indentUnit.of('  '),
          EditorState.tabSize.of(2),
          lintGutter(),
          keymap.of([indentWithTab, ...defaultKeymap, ...historyKeymap]),
          languages.rulebook,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            'aria-label': 'Rulebook', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off',
          }),
          EditorView.updateListener.of((update) => update.docChanged && onChange()),
        ],
      }),
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    const { doc } = this.view.state;
    this.view.dispatch({ changes: { from: 0, to: doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
  }

  /** Underlines findings. */
  show(findings) {
    const { doc } = this.view.state;
    const marks = [];
    for (const { code, severity, message, labels, help } of findings) {
      const [place] = labels;
      if (!place) continue;
      const from = offset(doc, place.start);
      marks.push({
        from,
        to: Math.max(from, offset(doc, place.end)),
        severity: severity === 'note' ? 'info' : severity,
        message: `${code}: ${message}`,
        renderMessage: () => element('div', {},
          element('b', {}, code), ` ${message}`,
          place.text && element('div', {}, place.text),
          help && element('div', { class: 'quiet' }, `help: ${help}`)),
      });
    }
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /** Selects a place. */
  select(start, end = start) {
    const { doc } = this.view.state;
    const [anchor, head] = [offset(doc, start), offset(doc, end)];
    this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    this.view.focus();
  }

  /** Makes the changes of a fix. */
  change(edits) {
    const { doc } = this.view.state;
    const changes = edits.map(({ start, end, text }) => ({ from: offset(doc, start), to: offset(doc, end), insert: text }));
    this.view.dispatch({ changes });
  }
}

/** A text that is read, coloured, of any length. */
export class Shown {
  constructor(parent, language, label) {
    this.view = new EditorView({ parent });
    this.extensions = [
      nonce, lineNumbers(), EditorState.readOnly.of(true), EditorView.editable.of(false), languages[language],
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    ];
    this.text = '';
  }

  set text(text) {
    this.kept = text;
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
  }

  get text() {
    return this.kept;
  }
}
