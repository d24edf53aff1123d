const IDENTIFIER = /[\p{L}\p{N}_$]/u;
const KEYWORD =
  /^(?:if|else|for|while|return|def|class|function|const|let|var|import|from|export|in|of|is|not|and|or|new|this|self|true|false|null|None|True|False|nil|end|do|then|case|switch|break|continue|try|catch|except|finally|throw|raise|async|await|with|as|pass|static|public|private|protected|fn|func|pub|mut|use|type|interface|struct|enum|void|int|string|bool)$/;

/** Identifier below a point of the page; null between words, and for keywords. */
export function wordAt(x: number, y: number): string | null {
  const place = document.caretPositionFromPoint?.(x, y);
  if (!place || place.offsetNode.nodeType !== Node.TEXT_NODE) return null;
  const text = place.offsetNode.textContent ?? '';
  let start = place.offset;
  let end = place.offset;
  while (start > 0 && IDENTIFIER.test(text[start - 1]!)) start -= 1;
  while (end < text.length && IDENTIFIER.test(text[end]!)) end += 1;
  const word = text.slice(start, end);
  return /^[\p{L}_$][\p{L}\p{N}_$]+$/u.test(word) && !KEYWORD.test(word) ? word : null;
}
