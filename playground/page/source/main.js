// The page: an editor, and panels that show what the compiler says of its text.

import examples from 'stalwart:examples';
import { Decide } from './decide.js';
import { RulebookEditor, Shown } from './editor.js';
import { element } from './elements.js';
import { Engine, load } from './engine.js';
import { counted, showFindings } from './findings.js';
import { pack, unpack } from './share.js';

const TABS = ['rulebook', 'findings', 'decide', 'graph', 'rego', 'ir'];
const FIRST = 'shop';
const here = (name) => new URL(name, import.meta.url);
const by = (id) => document.getElementById(id);
const isWide = window.matchMedia('(min-width: 56rem)');

let loading;
const module = () => {
  loading ??= load(here('playground.wasm'));
  loading.catch(() => { loading = undefined; }); // the next start tries again
  return loading;
};
const compiler = new Engine(module, here('worker.js'));
const prover = new Engine(module, here('worker.js'));

const state = { name: 'policy.co', valid: false, tab: 'rulebook' };

function notice(text) {
  by('notice').textContent = text;
  by('notice').hidden = !text;
}

/** Asks of the text as it is; nothing comes of an answer to an older text. */
async function ask(request, engine = compiler) {
  const text = editor.text;
  const answer = await engine.ask({ ...request, name: state.name }, text);
  if (answer === null || editor.text !== text) return null;
  if (answer.trap) {
    console.info(answer.trap);
    notice('The compiler failed on this text and was started anew. Nothing was lost; please report the rulebook.');
    by('state').textContent = 'no answer';
  }
  return answer;
}

// Editing

let timer;
function changed() {
  clearTimeout(timer);
  timer = setTimeout(examine, 120);
  // What stands beside a new text was said of the old one.
  document.body.classList.add('behind');
  prover.drop();
  proof('');
}

function proof(line, isProved = false) {
  by('proof').classList.toggle('proved', isProved);
  by('proof').textContent = line;
}

async function examine() {
  const text = editor.text;
  const answer = await ask({ ask: 'examine' });
  if (answer?.trap) nothingKnown();
  if (!answer?.diagnostics) return;
  document.body.classList.remove('behind');
  notice('');
  state.valid = answer.valid;
  editor.show(answer.diagnostics);
  showFindings(by('panel-findings'), answer, { select: goTo, change: (edits) => editor.text === text && editor.change(edits), fixAll });
  by('state').textContent = counted(answer.diagnostics);
  by('count').textContent = String(answer.diagnostics.length);
  by('count').hidden = !answer.diagnostics.length;
  proof(answer.valid ? 'proving …' : '');
  if (answer.valid) {
    state.flows = answer.flows;
    decide.fit(answer);
  } else decide.say('The rulebook has errors: nothing is decided.');
  refresh();
  if (answer.valid) prove();
}

async function prove() {
  const answer = await ask({ ask: 'prove' }, prover);
  if (answer?.line) proof(answer.line, answer.line.startsWith('proved'));
  else if (answer) proof(answer.finding ? answer.finding.message : 'not proved');
}

/** Where the compiler failed, nothing of an older text stays to be taken for an answer. */
function nothingKnown() {
  state.valid = false;
  editor.show([]);
  by('panel-findings').replaceChildren();
  by('count').hidden = true;
  decide.say('The compiler failed on this text: nothing is decided.');
  refresh();
}

async function fixAll() {
  const answer = await ask({ ask: 'fix' });
  if (answer?.text !== undefined) editor.text = answer.text;
}

function goTo(start, end) {
  if (!isWide.matches) choose('rulebook');
  editor.select(start, end);
}

// Panels that are made when they are looked at

const shown = {};
function textPanel(id, language, file, label) {
  const panel = by(`panel-${id}`);
  const holder = element('div', { class: 'shown' });
  const copy = element('button', { type: 'button', onclick: async () => {
    try {
      await navigator.clipboard.writeText(shown[id].text);
      copy.textContent = 'Copied';
    } catch {
      copy.textContent = 'Copying is not allowed here';
    }
    setTimeout(() => { copy.textContent = 'Copy'; }, 1500);
  } }, 'Copy');
  panel.replaceChildren(
    element('div', { class: 'tools' }, element('code', {}, file), copy,
      element('button', { type: 'button', onclick: () => download(file, shown[id].text, 'text/plain') }, 'Download')),
    holder);
  shown[id] = new Shown(holder, language, label);
}

function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

let picture = '';
const drawing = element('img', { alt: '' });
const flow = element('select', { 'aria-label': 'What is drawn', onchange: draw });
const size = element('button', { type: 'button', 'aria-pressed': 'false', onclick: () => {
  const isFull = by('panel-graph').classList.toggle('full');
  size.setAttribute('aria-pressed', String(isFull));
} }, 'Full size');
by('panel-graph').replaceChildren(
  element('div', { class: 'tools' }, flow, size,
    element('button', { type: 'button', onclick: () => download('rulebook.svg', picture, 'image/svg+xml') }, 'Download')),
  element('div', { class: 'picture' }, drawing));

async function draw() {
  const names = state.flows?.map(({ name }) => name) ?? [];
  if ([...flow.options].slice(1).map((option) => option.value).join('\n') !== names.join('\n') || !flow.length) {
    const chosen = flow.value;
    flow.replaceChildren(element('option', { value: '' }, 'The whole rulebook'), ...names.map((name) => element('option', { value: name }, name)));
    flow.value = names.includes(chosen) ? chosen : '';
  }
  const answer = await ask({ ask: 'draw', flow: flow.value || null });
  if (answer?.svg === undefined) return;
  picture = answer.svg;
  URL.revokeObjectURL(drawing.src);
  // As an image nothing in it can run, whatever the rulebook says.
  drawing.src = URL.createObjectURL(new Blob([picture], { type: 'image/svg+xml' }));
  drawing.alt = `Picture of ${flow.value ? `the flow ${flow.value}` : 'the rulebook'}`;
}

async function emit(id) {
  const answer = await ask({ ask: 'emit' });
  if (answer?.[id] !== undefined) shown[id].text = answer[id];
  else if (answer?.finding) {
    shown[id].text = '';
    notice(`Nothing is emitted: ${answer.finding.message}.`);
  }
}

/** Makes the panel that is looked at current. */
function refresh() {
  const needsRulebook = ['graph', 'rego', 'ir'].includes(state.tab);
  by(`panel-${state.tab}`).classList.toggle('stale', needsRulebook && !state.valid);
  if (!needsRulebook || !state.valid) return;
  if (state.tab === 'graph') draw();
  else emit(state.tab);
}

// Tabs

function choose(tab) {
  state.tab = tab;
  by('main').dataset.tab = tab;
  for (const name of TABS) {
    by(`tab-${name}`).setAttribute('aria-selected', String(name === tab));
    by(`tab-${name}`).tabIndex = name === tab ? 0 : -1;
  }
  refresh();
}

for (const name of TABS) by(`tab-${name}`).addEventListener('click', () => choose(name));
by('tabs').addEventListener('keydown', (event) => {
  const there = TABS.filter((name) => by(`tab-${name}`).offsetParent);
  const at = there.indexOf(state.tab);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1 + there.length, Home: 0, End: there.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  choose(there[next % there.length]);
  by(`tab-${state.tab}`).focus();
});
isWide.addEventListener('change', () => {
  if (isWide.matches && state.tab === 'rulebook') choose('decide');
});

// Examples and links

function take({ name, text, tool = null, values = {} }) {
  state.name = name;
  decide.take(tool, values);
  editor.text = text;
}

by('examples').append(...examples.map(({ id, title }) => element('option', { value: id }, title)));
by('examples').addEventListener('change', () => {
  const example = examples.find(({ id }) => id === by('examples').value);
  if (example) take(example);
});

by('share').addEventListener('click', async () => {
  const button = by('share');
  const { tool, values } = decide;
  try {
    const fragment = await pack({ name: state.name, text: editor.text, tool, values: Object.fromEntries(values) });
    window.history.replaceState(null, '', `#${fragment}`);
  } catch (error) {
    notice(`No link can be made: ${error.message}.`);
    return;
  }
  try {
    await navigator.clipboard.writeText(window.location.href);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'In the address bar';
  }
  setTimeout(() => { button.textContent = 'Copy link'; }, 1500);
});

/** Opens what the address holds; whether it held something. */
async function open() {
  const fragment = window.location.hash.slice(1);
  if (!fragment) return false;
  try {
    take(await unpack(fragment));
    by('examples').value = '';
    return true;
  } catch (error) {
    broken = `This link cannot be opened: ${error.message}.`;
    return false;
  }
}

let broken = '';
const decide = new Decide(by('panel-decide'), {
  ask: (tool, context) => ask({ ask: 'decide', tool, context }),
  select: (line) => goTo({ line, column: 1 }),
});
const first = examples.find(({ id }) => id === FIRST) ?? examples[0];
state.name = first.name;
const editor = new RulebookEditor(by('panel-rulebook'), first.text, changed);
textPanel('rego', 'rego', 'Rulebook.rego', 'The emitted Rego');
textPanel('ir', 'json', 'rulebook.ir.json', 'The intermediate representation');
by('examples').value = first.id;
choose(isWide.matches ? 'decide' : 'rulebook');
window.addEventListener('hashchange', async () => {
  if (!(await open()) && broken) notice(broken);
});
await open();
clearTimeout(timer);
await examine();
if (broken) notice(broken);
