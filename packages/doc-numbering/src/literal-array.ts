/**
 * An array for PostgreSQL, written as its literal. Batches pass thousands of values a second; a driver that looks at the
 * type of each would cost more than the rest of the call. An element that equals the one before is escaped once.
 */
export class LiteralArray {
  #elements = '';
  #isEmptyOfValues = true;
  #lastText: string | undefined;
  #lastElement = '';

  /** A number, date, uuid or other value without blanks, quotes, commas, braces or backslashes. */
  plain(value: string | number | undefined): void {
    this.#add(value === undefined ? 'NULL' : String(value), value !== undefined);
  }

  text(value: string | undefined): void {
    if (value === undefined) {
      this.#add('NULL', false);
      return;
    }
    if (value !== this.#lastText) {
      this.#lastText = value;
      this.#lastElement = `"${value.replace(/["\\]/g, '\\$&')}"`;
    }
    this.#add(this.#lastElement, true);
  }

  literal(): string {
    return `{${this.#elements}}`;
  }

  /** The literal, or NULL when no element has a value: unnest then fills its column with NULL. */
  literalOrNull(): string | null {
    return this.#isEmptyOfValues ? null : this.literal();
  }

  #add(element: string, hasValue: boolean): void {
    this.#elements += this.#elements === '' ? element : `,${element}`;
    if (hasValue) this.#isEmptyOfValues = false;
  }
}
