// What a person does with the page: node scenarios.mjs NAME
//
// Each scenario fails by an exception, and besides when the page complained, asked for anything
// outside of its folder, or opened a dialog.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { deflateRawSync } from 'node:zlib';
import { DESKTOP, PHONE, answered, launch, open, serve } from './stage.mjs';

const RULEBOOK = `define context
  $amount: number
  $order_paid: bool

define flow refunds
  if $order_paid and $amount <= 0.30
    execute refund_card
  else if $amount > 0.30
    bot ask first
    user agree
    execute refund_card
  else
    bot refuse

define bot ask first
  "Shall I pay it back?"
`;

const line = (text) => `1.${deflateRawSync(Buffer.from(text)).toString('base64url')}`;
const link = (state) => line(JSON.stringify({ name: 'policy.co', text: RULEBOOK, tool: null, values: {}, ...state }));

async function type(page, text) {
  await page.click('#panel-rulebook .cm-content');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}

const text = (page, selector) => page.textContent(selector);
const shows = (page, selector, word) => page.locator(selector, { hasText: word }).first().waitFor();
const field = (page, name) => page.locator(`[data-name="${name}"]`);
const editorText = (page) => page.evaluate(() =>
  [...document.querySelectorAll('#panel-rulebook .cm-line')].map((one) => one.textContent).join('\n'));

const SCENARIOS = {
  async typing_shows_findings_and_fixes({ page }) {
    await type(page, 'define flow refunds\n  if $paid && !$frozen\n    exec refund\n');
    await page.click('#tab-findings');
    await shows(page, '.finding.error', 'RB01');
    await page.locator('#panel-rulebook .cm-lintRange-error').first().waitFor();
    await page.locator('#panel-rulebook .cm-lint-marker-error').first().waitFor();
    assert.match(await text(page, '#state'), /error/);

    await page.locator('.finding .place').first().click();
    const selected = await page.evaluate(() => window.getSelection().toString());
    assert.ok(['&&', '!', 'exec'].includes(selected), `selected “${selected}”`);

    await page.locator('.finding summary').first().click();
    assert.ok((await page.locator('.finding details p').first().textContent()).length > 20);

    // What is mended by one fix shows what the next is.
    for (let left = 5; left > 0 && (await page.locator('.finding .fix').count()); left -= 1) {
      const before = await text(page, '#panel-findings');
      await page.locator('.finding .fix').first().click();
      await page.waitForFunction((was) => document.getElementById('panel-findings').textContent !== was, before);
    }
    assert.match(await editorText(page), /if \$paid and not \$frozen\n    execute refund/);
    await shows(page, '#proof', /^proved \([0-9,]+ points\)$/);
  },

  async a_call_is_decided_and_explained({ page }) {
    await type(page, RULEBOOK);
    await shows(page, '#panel-decide .result', 'refuse');
    assert.equal(await page.inputValue('#tool'), 'refund_card');
    await field(page, 'order_paid').getByText('true').click();
    await field(page, 'amount').locator('input').fill('0.30');
    await shows(page, '.result.allow', 'allow');
    await shows(page, '.why li.held', '$amount <= 0.3');
    await field(page, 'amount').locator('input').fill('0.31');
    await shows(page, '.result.clarify', '“Shall I pay it back?”');
    await shows(page, '.result.clarify', 'A yes to each question');
    await field(page, 'order_paid').getByText('absent').click();
    await field(page, 'amount').locator('input').fill('');
    await shows(page, '.result.refuse', 'no_match');
    await shows(page, '.why li.lacked', '$amount is absent');
    await page.getByText('Make this change').click();
    await shows(page, '.result.allow', 'allow');
    await page.locator('.result .place').click();
    await page.locator('#panel-rulebook .cm-activeLine', { hasText: 'if $order_paid' }).waitFor();
    await page.selectOption('#tool', { label: 'another tool …' });
    await page.fill('#other', 'unknown');
    await shows(page, '.result.silent', 'No flow speaks');
  },

  async numbers_stay_as_they_are_typed({ page }) {
    await type(page, RULEBOOK);
    await shows(page, '#panel-decide .result', 'refuse');
    await field(page, 'order_paid').getByText('true').click();
    // As a binary fraction it would be equal to 0.30.
    await field(page, 'amount').locator('input').fill('0.30000000000000000000001');
    await shows(page, '.result.clarify', 'clarify');
    await page.getByText('The context as JSON').click();
    assert.match(await text(page, '.json'), /"amount": 0\.30000000000000000000001/);
    await field(page, 'amount').locator('input').fill('0,30');
    await shows(page, '.fault', '“0,30” is not a number: write 0.30');
    await shows(page, '.result.silent', 'is not a number');
    assert.equal(await field(page, 'amount').locator('input').getAttribute('aria-invalid'), 'true');
  },

  async artifacts_and_pictures_are_shown({ page }) {
    for (const example of await page.locator('#examples option').evaluateAll((all) => all.map(({ value }) => value))) {
      if (!example) continue;
      await page.selectOption('#examples', example);
      await page.click('#tab-rego');
      await shows(page, '#panel-rego .cm-content', 'GENERATED');
      await page.click('#tab-ir');
      await shows(page, '#panel-ir .cm-content', '"context"');
      await page.click('#tab-graph');
      await page.waitForFunction(() => document.querySelector('#panel-graph img')?.naturalWidth > 100);
      const flows = await page.locator('#panel-graph option').allTextContents();
      assert.ok(flows.length > 1, example);
      await page.selectOption('#panel-graph select', { index: 1 });
      await page.waitForFunction((flow) => document.querySelector('#panel-graph img').alt.endsWith(flow), flows[1]);
    }
    await page.click('#tab-rego');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#panel-rego button:text("Download")')]);
    assert.equal(download.suggestedFilename(), 'Rulebook.rego');
    const rego = await readFile(await download.path(), 'utf8');
    await page.click('#panel-rego button:text("Copy")');
    await shows(page, '#panel-rego button', 'Copied');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), rego);
    // What came of an older text is not passed off as the new one's.
    await type(page, 'define flow');
    await page.locator('#panel-rego.stale').waitFor();
  },

  async a_link_brings_everything_back({ page, again, requested }) {
    await type(page, `${RULEBOOK}# ação – 日本語 😀\n`);
    await field(page, 'order_paid').getByText('true').click();
    await field(page, 'amount').locator('input').fill('0.31');
    await shows(page, '.result.clarify', 'Shall I');
    await page.click('#share');
    await shows(page, '#share', 'Copied');
    const address = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(address, page.url());
    assert.match(address, /#1\.[A-Za-z0-9_-]+$/);

    const opened = await again(address);
    await shows(opened, '.result.clarify', 'Shall I');
    assert.match(await editorText(opened), /# ação – 日本語 😀/);
    assert.equal(await field(opened, 'amount').locator('input').inputValue(), '0.31');
    assert.ok(await field(opened, 'order_paid').locator('[value=true]').isChecked());
    assert.ok(requested.every((url) => !url.includes('1.')), 'a server was told of the link');
  },

  async broken_links_are_said_in_words({ address, again }) {
    const good = link({});
    const cases = {
      'is not one of this page': '2.abc',
      'some of its characters are missing or changed': '1.***',
      'what it holds cannot be unpacked': good.slice(0, -12),
      'what it holds is not a rulebook': line('[1, 2]'),
      'holds more than this page takes': line('x'.repeat(5_000_000)),
      'is too long': `1.${'A'.repeat(200_000)}`,
    };
    for (const [said, fragment] of Object.entries(cases)) {
      const page = await again(`${address}#${fragment}`);
      await shows(page, '#notice', said);
      // The page is there nevertheless.
      await shows(page, '#panel-decide .result', /refuse|allow|clarify/);
    }
    for (const state of [{ text: 7 }, { values: [] }, { values: { a: {} } }, { tool: {} }, { name: null }]) {
      const page = await again(`${address}#${link(state)}`);
      await shows(page, '#notice', 'what it holds is not a rulebook');
    }
  },

  async hostile_links_are_only_text({ address, again }) {
    const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    const hostile = `define flow ${evil}\n  if $a == "${evil}"\n    execute t\n  else\n    bot refuse ${evil}\n\ndefine bot refuse ${evil}\n  "${evil}"\n`;
    const named = `define flow f\n  if $a == "${evil}"\n    execute t\n  else\n    bot refuse\n\ndefine bot refuse\n  "${evil}"\n`;
    for (const rulebook of [hostile, named, `${evil}\n`]) {
      const values = JSON.parse(`{"a": ${JSON.stringify(evil)}, "__proto__": "x", "constructor": true}`);
      const page = await again(`${address}#${link({ name: `${evil}.co`, text: rulebook, tool: evil, values })}`);
      await answered(page);
      for (const tab of ['findings', 'decide', 'graph', 'rego', 'ir']) {
        await page.click(`#tab-${tab}`);
        await page.waitForTimeout(150);
      }
      assert.equal(await page.locator('main script, main iframe, main img[src=x], main [onerror]').count(), 0);
      if (rulebook !== named) continue;
      await page.click('#tab-decide');
      assert.equal(await page.inputValue('#other'), evil);
      await page.selectOption('#tool', 't');
      await shows(page, '.result.allow', 'allow');
    }
  },

  async only_the_last_text_counts({ page }) {
    await page.click('#tab-findings');
    await page.click('#panel-rulebook .cm-content');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('define flow f\n', { delay: 15 });
    await page.keyboard.type('if $a\nexecute t', { delay: 40 });
    await type(page, 'define flow g\n  if $last\n    execute last_tool\n');
    await page.click('#tab-decide');
    await shows(page, '#tool', 'last_tool');
    assert.deepEqual(await page.locator('#tool option').allTextContents(), ['last_tool', 'another tool …']);
    assert.equal(await page.locator('[data-name]').count(), 1);
    await shows(page, '#proof', /^proved/);
  },

  async a_failure_is_said_and_survived({ address, launched, faults }) {
    let failing = true;
    const before = (made) => made.route('**/worker.js', (route) => (failing
      ? route.fulfill({ contentType: 'text/javascript', body: 'self.onmessage = ({ data }) => data.request && self.postMessage({ trap: "RuntimeError: unreachable" });' })
      : route.continue()));
    const page = await open(launched, address, { faults, before });
    await shows(page, '#notice', 'The compiler failed on this text and was started anew');
    failing = false;
    // A worker that was started while it failed is gone with its next failure: there are two, one
    // of them for proofs.
    await type(page, RULEBOOK);
    await page.waitForTimeout(1000);
    await page.keyboard.type('\n');
    await page.waitForTimeout(1500);
    await page.keyboard.type('\n');
    await shows(page, '#proof', /^proved/);
    assert.ok(await page.locator('#notice').isHidden());
  },

  async a_trap_of_the_compiler_is_said({ address, launched }) {
    // A module of the same shape, whose `answer` is `unreachable`.
    const trapping = Buffer.from(
      '0061736d01000000010d0360017f017f6000017f60000003040300010205030100100727' +
      '04066d656d6f7279020007726571756573740000' + '06616e7377657200010772656c656173650002' +
      '0a0d0304004100' + '0b0300000b02000b', 'hex');
    const before = (made) => made.route('**/playground.wasm', (route) => route.fulfill({ contentType: 'application/wasm', body: trapping }));
    const page = await open(launched, address, { before });
    await shows(page, '#notice', 'The compiler failed on this text');
    // The page lives on.
    await type(page, 'define flow x');
    assert.match(await editorText(page), /define flow x/);
    await page.unroute('**/playground.wasm');
    await page.route('**/playground.wasm', (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await shows(page, '#notice', 'The compiler failed');
  },

  async everything_is_reached_by_keyboard({ page }) {
    const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.className);
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'examples');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'share');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'tab-decide');
    for (const [key, tab] of [['ArrowRight', 'graph'], ['End', 'ir'], ['ArrowRight', 'findings'], ['Home', 'findings'], ['ArrowLeft', 'ir'], ['ArrowLeft', 'rego']]) {
      await page.keyboard.press(key);
      assert.equal(await focused(), `tab-${tab}`);
      assert.equal(await page.getAttribute(`#tab-${tab}`, 'aria-selected'), 'true');
      assert.ok(await page.locator(`#panel-${tab}`).isVisible());
    }
    await page.keyboard.press('Tab');
    assert.match(await focused(), /cm-content/);
    // Tab indents; behind Escape it goes on.
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('define flow f');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('execute t');
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('execute u');
    assert.equal(await editorText(page), 'define flow f\n  execute t\n  execute u');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.doesNotMatch(await focused(), /^cm-content cm-lineWrapping$/);
    const unnamed = await page.evaluate(() => [...document.querySelectorAll('button, select, input, [role=tab], [role=tabpanel]')]
      .filter((one) => !(one.textContent.trim() || one.getAttribute('aria-label') || one.getAttribute('aria-labelledby') || one.labels?.length))
      .map((one) => one.outerHTML));
    assert.deepEqual(unnamed, []);
  },

  async a_phone_shows_one_column({ address, launched, faults }) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await open(launched, address, { viewport: PHONE, isMobile: true, hasTouch: true, colorScheme, reducedMotion: 'reduce', faults });
      await answered(page);
      assert.ok(await page.locator('#panel-rulebook').isVisible());
      for (const tab of ['findings', 'decide', 'graph', 'rego', 'ir', 'rulebook']) {
        await page.tap(`#tab-${tab}`);
        await page.waitForTimeout(200);
        const { visible, width, body } = await page.evaluate(() => ({
          visible: ['rulebook', 'findings', 'decide', 'graph', 'rego', 'ir'].filter((name) => document.getElementById(`panel-${name}`).offsetParent),
          width: window.innerWidth, body: document.documentElement.scrollWidth,
        }));
        assert.deepEqual(visible, [tab]);
        assert.ok(body <= width, `${tab}: ${body} wide in ${width}`);
        const inside = await page.locator(`#tab-${tab}`).evaluate((one) => one.getBoundingClientRect().right <= window.innerWidth);
        assert.ok(inside, `the tab ${tab} is not on the screen`);
      }
      // A place in a finding leads to the editor.
      await page.selectOption('#examples', 'bank');
      await page.tap('#tab-findings');
      await page.locator('.finding .place').first().tap();
      assert.ok(await page.locator('#panel-rulebook').isVisible());
      await page.context().close();
    }
  },

  async colours_have_contrast({ address, launched, faults }) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await open(launched, address, { colorScheme, faults });
      await answered(page);
      await page.selectOption('#examples', 'bank');
      for (const tab of ['findings', 'decide', 'graph', 'rego', 'ir']) {
        await page.click(`#tab-${tab}`);
        await page.waitForTimeout(300);
        assert.deepEqual(await page.evaluate(pale), [], `${colorScheme} ${tab}`);
      }
      await page.context().close();
    }
  },

  async the_first_paint_is_fast({ address, launched, faults }) {
    // The first start of a browser reads it from the disk; a visit comes behind that.
    for (const [name, viewport] of [['desktop', DESKTOP], ['phone', PHONE]]) {
      const paints = [];
      for (let visit = 1; visit <= 3; visit += 1) {
        const page = await open(launched, address, { viewport, faults });
        await answered(page);
        const { paint, load } = await page.evaluate(() => ({
          paint: performance.getEntriesByName('first-contentful-paint')[0].startTime, load: performance.now(),
        }));
        console.log(`${name}: first contentful paint ${Math.round(paint)} ms, compiler has answered ${Math.round(load)} ms`);
        paints.push(paint);
        await page.context().close();
      }
      // The middle one of three: other work of the machine may hold up one.
      const [, middle] = paints.sort((one, other) => one - other);
      assert.ok(middle < 1000, `${middle} ms`);
    }
  },
};

/** Runs in the page: texts whose contrast with what is behind them is below 4.5. */
function pale() {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const over = (colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !parent.checkVisibility() || parent.closest('noscript, option')) continue;
    const behind = [];
    for (let at = parent; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
    const back = light(over(behind));
    const ink = light(over([...behind, getComputedStyle(parent).color]));
    const contrast = (Math.max(back, ink) + 0.05) / (Math.min(back, ink) + 0.05);
    if (contrast < 4.5) found.add(`${contrast.toFixed(2)} ${parent.className || parent.tagName}: ${walker.currentNode.data.trim().slice(0, 40)}`);
  }
  return [...found];
}

const name = process.argv[2];
const server = await serve();
const launched = await launch();
try {
  const faults = [];
  const requested = [];
  const { address } = server;
  const watched = (page) => page.on('request', (request) => requested.push(request.url().split('#')[0]));
  const page = await open(launched, address, { faults });
  await answered(page);
  const again = async (at) => {
    const opened = await open(launched, at, { faults });
    watched(opened);
    await answered(opened);
    return opened;
  };
  await SCENARIOS[name]({ page, again, address, launched, faults, requested });
  assert.deepEqual(faults, [], 'the page did what it must not');
  console.log(`passed ${name}`);
} finally {
  await launched.stop();
  await server.stop();
}
