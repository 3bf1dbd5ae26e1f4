/**
 * An array for PostgreSQL, written as its literal. Batches pass thousands of values a second; a driver that looks at the
 * type of each would cost more than the rest of the call. An element that equals the one before is escaped once.
 */
export class LiteralArray {
  #elements = '';
  /** Elements without a value before the first that has one; a column that nobody uses costs no text. */
  #blankCount = 0;
  #lastText: string | undefined;
  #lastElement = '';

  /** A number, date, uuid or other value without blanks, quotes, commas, braces or backslashes. */
  plain(value: string | number | undefined): void {
    this.#add(value);
  }

  text(value: string | undefined): void {
    if (value !== undefined && value !== this.#lastText) {
      this.#lastText = value;
      this.#lastElement = `"${value.replace(/["\\]/g, '\\$&')}"`;
    }
    this.#add(value === undefined ? undefined : this.#lastElement);
  }

  literal(): string {
    return `{${this.#elements === '' ? 'NULL,'.repeat(this.#blankCount).slice(0, -1) : this.#elements}}`;
  }

  /** The literal, or NULL when no element has a value: unnest then fills its column with NULL. */
  literalOrNull(): string | null {
    return this.#elements === '' ? null : this.literal();
  }

  #add(element: string | number | undefined): void {
    if (this.#elements !== '') this.#elements += `,${element ?? 'NULL'}`;
    else if (element === undefined) this.#blankCount += 1;
    else this.#elements = `${'NULL,'.repeat(this.#blankCount)}${element}`;
  }
}
