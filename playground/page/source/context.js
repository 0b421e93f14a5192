// The context of a call as JSON text, from what stands in the form: numbers stay as they are typed.

const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/** What is wrong with a value, in words; nothing where it is fine. */
export function faultOf(type, value) {
  if (type !== 'number' || NUMBER.test(value)) return '';
  const dotted = value.replace(',', '.');
  const instead = NUMBER.test(dotted) ? `: write ${dotted}` : ': write one such as 12.50';
  return `“${value}” is not a number${instead}`;
}

/**
 * The context: `names` are those of the rulebook with their types and paths, `values` a map from
 * name to a boolean or text. Fails in words where two values cannot stand in one context.
 */
export function contextOf(names, values) {
  const root = new Map();
  for (const { name, path, type } of names) {
    const value = values.get(name);
    if (value === undefined || (type === 'bool') !== (typeof value === 'boolean')) continue;
    const fault = faultOf(type, value);
    if (fault) throw new Error(fault);
    let holder = root;
    for (const [at, segment] of path.entries()) {
      const isLast = at === path.length - 1;
      const there = holder.get(segment);
      if (there !== undefined && (isLast || !(there instanceof Map))) {
        throw new Error(`$${name} and a name above or below it cannot both have a value`);
      }
      if (isLast) holder.set(segment, type === 'string' ? JSON.stringify(value) : String(value));
      else {
        if (there === undefined) holder.set(segment, new Map());
        holder = holder.get(segment);
      }
    }
  }
  return written(root);
}

function written(holder) {
  const items = [...holder].map(([key, value]) =>
    `${JSON.stringify(key)}: ${value instanceof Map ? written(value) : value}`);
  return `{${items.join(', ')}}`;
}
