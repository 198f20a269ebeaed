/** The selection: ids across pages, or everything that matches the filter. */

/** The API's limit of ids per job. */
export const MAX_IDS = 1000;

export class Selection extends EventTarget {
  #ids = new Set();
  #all = false;

  /** Whether everything that matches the filter is selected. */
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

  /** Toggles one id; clears a selection of everything. */
  toggle(id) {
    if (this.#all) {
      this.clear();
    } else if (!this.#ids.delete(id)) {
      this.#add([id]);
    }
    this.#changed();
  }

  /** Selects these ids, or deselects them if all are selected. */
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
    ids.slice(0, MAX_IDS - this.#ids.size).forEach((id) => this.#ids.add(id));
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
