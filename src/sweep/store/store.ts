/**
 * Where a sweep's truth lives: files by name, of which one kind can be made only once. On that one promise rest leases and
 * results; everything else, queues and schedulers and indexes, may be lost and made again.
 */
export interface Store {
  /** The folder or address, for people. */
  readonly url: string;
  /** The file's bytes; undefined if there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Makes a file that must not be there yet; false if it is. Of several at the same time one wins, on any machine. */
  create(path: string, content: Uint8Array): Promise<boolean>;
  /** Writes a file, whole or not at all, over what is there. */
  write(path: string, content: Uint8Array): Promise<void>;
  /** The names of files and folders directly in a folder; none if it is missing. */
  list(folder: string): Promise<string[]>;
  /** Removes a file, or a folder with all in it. */
  remove(path: string): Promise<void>;
  /** A folder of this machine with what the store has under that name, for work on it. */
  checkOut(folder: string): Promise<string>;
  /** Takes the folder's files from this machine into the store; where that is elsewhere, they are gone from here. */
  checkIn(folder: string): Promise<void>;
}
