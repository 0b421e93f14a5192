'use strict';
// A tool in the address shows only what speaks on it. Without this script, all is shown.
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const banner = document.querySelector('.filter');
  const entries = all('nav li');
  const speaks = (flow, tool) => {
    const listed = flow.dataset.tools.split(' ').includes(tool);
    return flow.dataset.others === 'yes' ? !listed : listed;
  };
  const show = () => {
    const asked = /^#t(\d+)$/.exec(location.hash);
    const tool = asked && asked[1];
    const link = tool && document.querySelector(`nav a[href="#t${tool}"]`);
    for (const flow of all('[data-tools]')) flow.hidden = Boolean(link) && !speaks(flow, tool);
    for (const heading of all('main > h2')) {
      let next = heading.nextElementSibling;
      let any = false;
      while (next && next.tagName !== 'H2') {
        any ||= !next.hidden;
        next = next.nextElementSibling;
      }
      heading.hidden = !any;
    }
    for (const entry of all('nav a')) {
      if (entry === link) entry.setAttribute('aria-current', 'true');
      else entry.removeAttribute('aria-current');
    }
    banner.hidden = !link;
    if (link) {
      banner.querySelector('b').textContent = link.textContent;
      document.querySelector('main').scrollIntoView();
    } else if (/^#f\d+$/.test(location.hash)) {
      // It may have been hidden when the browser looked for it.
      document.querySelector(location.hash)?.scrollIntoView();
    }
  };
  const find = document.querySelector('nav input');
  find.hidden = false;
  find.addEventListener('input', () => {
    const text = find.value.trim().toLowerCase();
    for (const entry of entries) entry.hidden = !entry.textContent.toLowerCase().includes(text);
  });
  addEventListener('beforeprint', () => all('details').forEach((it) => { it.open = true; }));
  addEventListener('hashchange', show);
  show();
})();
