const ESCAPES: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/**
 * A path as git prints it where line feeds end records: odd names stand in double quotes with the escapes of C
 * (`\n`, `\"`, `\303\266` for bytes), others as they are.
 */
export function unquotePath(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"') || text.length < 2) {
    return text;
  }
  const bytes: Buffer[] = [];
  for (const [, octal, letter, plain] of text.slice(1, -1).matchAll(/\\([0-3][0-7]{2})|\\(.)|([^\\]+)/gsu)) {
    if (octal !== undefined) {
      bytes.push(Buffer.from([Number.parseInt(octal, 8)]));
    } else if (letter !== undefined) {
      bytes.push(Buffer.from([ESCAPES[letter] ?? letter.charCodeAt(0)]));
    } else {
      bytes.push(Buffer.from(plain!));
    }
  }
  return Buffer.concat(bytes).toString();
}
