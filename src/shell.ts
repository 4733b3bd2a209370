/** A word as a shell takes it: as it is, or in single quotes. @example quoted("ill = 1") // "'ill = 1'" */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
