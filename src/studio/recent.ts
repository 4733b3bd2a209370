/** The last few things that were made at some cost, each made once also when it is asked for twice at a time. */
export class Recent<T> {
  private readonly made = new Map<string, Promise<T>>();
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  /** What was made under this key, or is made now; a failure is not kept. */
  get(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.made.get(key);
    const value = known ?? make();
    this.made.delete(key);
    this.made.set(key, value);
    if (known === undefined)
      value.catch(() => {
        if (this.made.get(key) === value) this.made.delete(key);
      });
    for (const old of this.made.keys()) if (this.made.size > this.most) this.made.delete(old);
    return value;
  }
}
