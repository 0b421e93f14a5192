// Colours of rulebooks, Rego and JSON: by token, line by line.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

const STATEMENT =
  /^(define\s+(context|user|bot|flow|subflow)|define|user|bot|else\s+if|elif|if|else|execute|do|stop|abort|return|else\s+when|when|while|event|priority)\b/;

const rulebook = {
  startState: () => ({ inText: false, atStart: true }),
  token(stream, state) {
    if (state.inText) {
      if (stream.skipTo('"""')) {
        stream.match('"""');
        state.inText = false;
      } else stream.skipToEnd();
      return 'string';
    }
    if (stream.sol()) state.atStart = true;
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return 'comment';
    if (stream.match('"""')) {
      state.inText = true;
      return 'string';
    }
    if (state.atStart && stream.match(STATEMENT)) {
      state.atStart = false;
      return 'keyword';
    }
    state.atStart = false;
    if (stream.match(/^"(\\.|[^"\\])*"?/)) return 'string';
    if (stream.match(/^\$[A-Za-z_][\w.]*/)) return 'variableName';
    if (stream.match(/^(and|or|not|in|execute)\b/)) return 'keyword';
    if (stream.match(/^(True|False|bool|number|string)\b/)) return 'atom';
    if (stream.match(/^-?\d+(\.\d+)?\b/)) return 'number';
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u)) return null;
    stream.next();
    return null;
  },
  blankLine() {},
  languageData: { commentTokens: { line: '#' } },
};

const rego = {
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return 'comment';
    if (stream.match(/^"(\\.|[^"\\])*"?/)) return 'string';
    if (stream.match(/^(package|import|default|if|else|not|in|some|every|with|as|contains)\b/)) return 'keyword';
    if (stream.match(/^(true|false|null)\b/)) return 'atom';
    if (stream.match(/^(input|data)\b/)) return 'variableName';
    if (stream.match(/^-?\d+(\.\d+)?/)) return 'number';
    if (stream.match(/^\w+/)) return null;
    stream.next();
    return null;
  },
};

const json = {
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(\\.|[^"\\])*"(?=\s*:)/)) return 'variableName';
    if (stream.match(/^"(\\.|[^"\\])*"?/)) return 'string';
    if (stream.match(/^(true|false|null)\b/)) return 'atom';
    if (stream.match(/^-?\d[\d.eE+-]*/)) return 'number';
    stream.next();
    return null;
  },
};

const style = HighlightStyle.define([
  { tag: tags.comment, class: 'tok-comment' },
  { tag: tags.keyword, class: 'tok-keyword' },
  { tag: tags.string, class: 'tok-string' },
  { tag: tags.variableName, class: 'tok-name' },
  { tag: tags.number, class: 'tok-number' },
  { tag: tags.atom, class: 'tok-atom' },
]);

const coloured = (parser) => [StreamLanguage.define(parser), syntaxHighlighting(style)];

export const languages = { rulebook: coloured(rulebook), rego: coloured(rego), json: coloured(json) };
