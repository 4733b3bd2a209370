// @ts-check
/**
 * What stands behind a bench's name, as `name=value`, over what is usual.
 * @template {Record<string, string>} T
 * @param {string[]} words
 * @param {T} usual
 * @returns {T}
 */
export function optionsOf(words, usual) {
  const given = Object.fromEntries(words.map((word) => word.split('=')));
  const unknown = Object.keys(given).find((name) => !(name in usual));
  if (unknown !== undefined)
    throw new Error(`There is no option “${unknown}”. Known: ${Object.keys(usual).join(', ')}.`);
  return { ...usual, ...given };
}
