/** What somebody picked: some letters by id, also across pages, or all that the filter finds. */

/** The most letters that one job can be given by id. */
export const MOST = 1000;

export class Selection extends EventTarget {
  #ids = new Set();
  #all = false;

  /** Whether it is everything that the filter finds. */
  get isAll() {
    return this.#all;
  }

  get ids() {
    return [...this.#ids];
  }

  get isEmpty() {
    return !this.#all && this.#ids.size === 0;
  }

  has(id) {
    return this.#all || this.#ids.has(id);
  }

  /** Takes one letter in or out; out of all of them, none is left. */
  toggle(id) {
    if (this.#all) {
      this.clear();
    } else if (!this.#ids.delete(id)) {
      this.#add([id]);
    }
    this.#changed();
  }

  /** Takes these in, or out if all of them are in. */
  togglePage(ids) {
    if (this.#all) {
      this.clear();
    } else if (ids.every((id) => this.#ids.has(id))) {
      ids.forEach((id) => this.#ids.delete(id));
    } else {
      this.#add(ids);
    }
    this.#changed();
  }

  selectAll() {
    this.#all = true;
    this.#changed();
  }

  clear() {
    this.#ids.clear();
    this.#all = false;
    this.#changed();
  }

  #add(ids) {
    ids.slice(0, MOST - this.#ids.size).forEach((id) => this.#ids.add(id));
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
