// Elements from text. Nothing that a user or a link says is ever read as HTML.

/** An element with attributes, and children that are elements or text; what is false is left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== false && child != null && child !== ''));
  return made;
}

/** Text in which backticks mark code. */
export function prose(text) {
  return text.split(/(`[^`\n]+`)/).map((part) =>
    part.length > 2 && part.startsWith('`') && part.endsWith('`')
      ? element('code', {}, part.slice(1, -1)) : part);
}

/** The explanation of a code: paragraphs, and blocks of code between fences. */
export function explanation(text) {
  const blocks = [];
  for (const [at, part] of text.split(/^```.*$/m).entries()) {
    if (at % 2) blocks.push(element('pre', {}, part.replace(/^\n|\n$/g, '')));
    else for (const paragraph of part.split(/\n\s*\n/)) {
      if (paragraph.trim()) blocks.push(element('p', {}, prose(paragraph.trim())));
    }
  }
  return blocks;
}
