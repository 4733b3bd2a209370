/** A word as a shell takes it: as it is, or in single quotes. @example quoted("ill = 1") // "'ill = 1'" */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A call of the command line as a person types it. @example callOf('evaluate', 'runs/my own') // "untangle evaluate 'runs/my own'" */
export function callOf(...words: string[]): string {
  return ['untangle', ...words.map((word) => quoted(withoutSecrets(word)))].join(' ');
}

/**
 * A text in which no address holds a user or a password any more, for everything that is written to the disk or shown.
 *
 * @example withoutSecrets('http://me:secret@host:5000/x') // 'http://host:5000/x'
 */
export function withoutSecrets(text: string): string {
  return text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#'"]*@/gi, '$1');
}

/** The flag of a command line that sets an option. @example flagOf('backgroundWhere') // '--background-where' */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Options as the words of a call; a list has commas between its items. @example flagsOf({ crop: true, size: 64 }) // ['--crop', '--size', '64'] */
export function flagsOf(options: object): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [flagOf(name)] : [flagOf(name), `${value}`];
  });
}
