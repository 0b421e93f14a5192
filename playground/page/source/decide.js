// The panel that decides a call: a tool, a form of the context, the decision, and why.

import { contextOf, faultOf } from './context.js';
import { element, prose } from './elements.js';

const MARKS = { allow: '✓', clarify: '?', refuse: '✕', silent: '–' };
const HELD = { held: '✓', failed: '✕', lacked: '–' };
/** What is said of an arm before its line: an `else` has no condition that could hold. */
function condition(arm) {
  const isElse = arm.condition === 'True' && arm.line !== arm.if_line;
  return isElse ? [element('code', {}, 'else'), ', ']
    : [element('code', {}, arm.condition), ` ${OUTCOMES[arm.outcome]}, `];
}

const OUTCOMES = { held: 'holds', failed: 'does not hold', lacked: 'is neither true nor false' };
const OTHER = '\u0000other';

export class Decide {
  /** `ask(tool, context)` gives the answer, `select(line)` goes to a line. */
  constructor(panel, { ask, select }) {
    this.ask = ask;
    this.select = select;
    this.tool = null;
    this.values = new Map();
    this.names = [];
    this.tools = [];
    this.choice = element('select', { id: 'tool', onchange: () => this.choose() });
    this.other = element('input', {
      id: 'other', type: 'text', 'aria-label': 'Name of the other tool', spellcheck: 'false', autocapitalize: 'off',
      oninput: () => { this.tool = this.other.value; this.decide(); },
    });
    this.form = element('form', { class: 'context', onsubmit: (event) => event.preventDefault() });
    this.result = element('div', { class: 'result', 'aria-live': 'polite' });
    this.reasons = element('div', { class: 'why' });
    this.json = element('pre', { class: 'json' });
    panel.replaceChildren(
      element('div', { class: 'call' }, element('label', { for: 'tool' }, 'Tool'), this.choice, this.other),
      this.result, this.form, this.reasons,
      element('details', {}, element('summary', {}, 'The context as JSON'), this.json));
  }

  /** Takes a call from a link. */
  take(tool, values) {
    this.tool = tool;
    this.values = new Map(Object.entries(values));
    this.shape = null;
  }

  /** Fits the form to a rulebook. */
  fit({ tools, context }) {
    const shape = JSON.stringify([tools, context]);
    this.tools = tools;
    this.names = context;
    if (shape !== this.shape) {
      this.shape = shape;
      if (this.tool === null && tools.length) [this.tool] = tools;
      this.choice.replaceChildren(
        ...tools.map((tool) => element('option', { value: tool }, tool)),
        element('option', { value: OTHER }, 'another tool …'));
      const isOther = !tools.includes(this.tool);
      this.choice.value = isOther ? OTHER : this.tool;
      this.other.hidden = !isOther;
      this.other.value = isOther ? (this.tool ?? '') : '';
      this.form.replaceChildren(...this.names.map((name, at) => this.field(name, at)));
      if (!this.names.length) this.form.append(element('p', { class: 'quiet' }, 'The rulebook reads no name of the context.'));
    }
    this.decide();
  }

  choose() {
    const isOther = this.choice.value === OTHER;
    this.tool = isOther ? this.other.value : this.choice.value;
    this.other.hidden = !isOther;
    if (isOther) this.other.focus();
    this.decide();
  }

  field({ name, type, literals }, at) {
    const id = `name-${at}`;
    const value = this.values.get(name);
    if (type === 'bool') {
      const choices = [['absent', undefined], ['true', true], ['false', false]].map(([word, meant]) =>
        element('label', {}, element('input', {
          type: 'radio', name: id, value: word, checked: (typeof value === 'boolean' ? value : undefined) === meant,
          onchange: () => this.set(name, meant),
        }), element('span', {}, word)));
      return element('fieldset', { class: 'field', 'data-name': name },
        element('legend', {}, `$${name}`, element('small', {}, 'bool')), element('div', { class: 'choices' }, choices));
    }
    const fault = element('p', { class: 'fault', id: `${id}-fault`, hidden: true });
    const present = element('input', { type: 'checkbox', checked: typeof value === 'string', onchange: () => update(present.checked) });
    const input = element('input', {
      id, type: 'text', inputmode: type === 'number' ? 'decimal' : 'text', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off',
      list: literals.length ? `${id}-list` : false, placeholder: 'absent', 'aria-describedby': fault.id,
      oninput: () => update(type === 'string' ? present.checked || input.value !== '' : input.value.trim() !== ''),
    });
    input.value = typeof value === 'string' ? value : '';
    const update = (isPresent) => {
      present.checked = isPresent;
      if (!isPresent) input.value = '';
      const text = type === 'number' ? input.value.trim() : input.value;
      const said = isPresent ? faultOf(type, text) : '';
      fault.textContent = said;
      fault.hidden = !said;
      input.setAttribute('aria-invalid', String(Boolean(said)));
      this.set(name, isPresent ? text : undefined);
    };
    return element('div', { class: 'field', 'data-name': name },
      element('label', { for: id }, `$${name}`, element('small', {}, type)),
      element('div', { class: 'entry' }, input,
        type === 'string' && element('label', { class: 'present' }, present, 'present')),
      literals.length > 0 && element('datalist', { id: `${id}-list` }, literals.map((literal) => element('option', { value: literal }))),
      fault);
  }

  set(name, value) {
    if (value === undefined) this.values.delete(name);
    else this.values.set(name, value);
    this.decide();
  }

  async decide() {
    let context;
    try {
      context = contextOf(this.names, this.values);
    } catch (error) {
      this.say(error.message);
      return;
    }
    this.json.textContent = context;
    const answer = await this.ask(this.tool, context);
    if (answer === null) return;
    if (answer.decision) this.show(answer);
    else this.say(answer.fault ?? (answer.trap ? 'The compiler failed on this call.' : 'The rulebook has errors: nothing is decided.'));
  }

  say(message) {
    this.result.className = 'result silent';
    this.result.replaceChildren(element('p', {}, message));
    this.reasons.replaceChildren();
  }

  line(line) {
    return element('button', { type: 'button', class: 'place', onclick: () => this.select(line) }, `line ${line}`);
  }

  show({ decision, rule, wording, questions, answerable, why, change }) {
    const reasons = JSON.parse(why);
    const by = reasons.decided_by;
    const shown = questions.length > 1 || (questions.length && questions[0].wording !== wording);
    this.result.className = `result ${decision}`;
    this.result.replaceChildren(...[
      element('p', { class: 'decision' }, element('span', { class: 'mark', 'aria-hidden': 'true' }, MARKS[decision]),
        element('strong', {}, decision), rule && element('code', {}, rule)),
      wording && wording !== rule && element('p', { class: 'wording' }, `“${wording}”`),
      shown && element('p', {}, 'Asked before it runs:'),
      shown && element('ol', {}, questions.map((asked) => element('li', {}, `“${asked.wording}”`))),
      decision === 'clarify' && element('p', { class: 'quiet' }, answerable
        ? 'A yes to each question lets the call through.' : 'No yes lets this call through.'),
      element('p', { class: 'quiet' }, by ? ['Decided by flow ', element('b', {}, by.flow.name), ', ', this.line(by.line)]
        : 'No flow speaks on this call.'),
    ].filter(Boolean));
    this.reasons.replaceChildren(
      reasons.flows.length ? element('h2', {}, 'Why') : '',
      ...reasons.flows.map((flow) => this.flow(flow)),
      this.change(reasons.change, change));
  }

  flow(flow) {
    const word = { allow: 'allow', clarify: 'clarify', refuse: 'refuse', no_match: 'says nothing on this tool' }[flow.word];
    const said = flow.undecided_at ? `undecided at line ${flow.undecided_at}` : word;
    return element('section', { class: 'flow' },
      element('h3', {}, flow.flow.name, element('small', {}, `${flow.flow.kind} · `, this.line(flow.flow.line), ` · ${said}`)),
      flow.met.length > 0 && element('ul', {}, flow.met.map((arm) => element('li', { class: arm.outcome },
        element('span', { class: 'mark', 'aria-hidden': 'true' }, HELD[arm.outcome]),
        ...condition(arm), this.line(arm.line),
        arm.leaves.some((leaf) => leaf.outcome === 'lacked') && element('span', { class: 'quiet' },
          `: ${arm.leaves.filter((leaf) => leaf.outcome === 'lacked').map((leaf) => `$${leaf.name} is ${leaf.seen.kind}`).join(', ')}`)))));
  }

  change({ answer, because }, edits) {
    if (answer === 'unneeded') return '';
    if (!edits.length) {
      const said = answer === 'not_found' ? 'No small change of the context is known that would allow this call.'
        : because === 'not_governed' ? 'No flow governs this tool.' : 'No context allows this tool.';
      return element('p', { class: 'quiet' }, said);
    }
    return element('section', { class: 'change' },
      element('h2', {}, answer === 'smallest' ? 'The smallest change that would allow it' : 'A change that would allow it'),
      element('ul', {}, edits.map(({ name, set }) => element('li', {}, prose(set === null ? `leave out \`$${name}\`` : `\`$${name}\` is \`${set}\``)))),
      element('button', { type: 'button', onclick: () => this.make(edits) }, 'Make this change'));
  }

  make(edits) {
    for (const { name, set } of edits) {
      const { type } = this.names.find((known) => known.name === name) ?? {};
      if (set === null) this.values.delete(name);
      else this.values.set(name, type === 'number' ? set : JSON.parse(set));
    }
    this.shape = null;
    this.fit({ tools: this.tools, context: this.names });
  }
}
