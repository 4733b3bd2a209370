/** A text from elsewhere, such as a file's name, that Markdown shows as it is and does not act on. */
export function plainMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*[\]<>!&]/g, '\\$&');
}

/**
 * A table in Markdown; columns of numbers are set to the right where that is told.
 *
 * @example markdownTable(['method', 'SAP'], [['vae', 0.04]])
 */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  isNumeric: (column: number) => boolean = () => false,
): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => `${cell}`.replaceAll('|', '\\|')).join(' | ')} |`;
  const marks = head.map((_, column) => (isNumeric(column) ? '---:' : '---'));
  return [head, marks, ...rows].map(line).join('\n');
}
