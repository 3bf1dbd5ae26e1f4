/** An identifier as SQL writes it, whatever characters it has. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A text as SQL writes it, whatever characters it has, and whatever the server's `standard_conforming_strings`. */
export const quoteLiteral = (text: string): string => `E'${text.replace(/['\\]/g, '$&$&')}'`;
