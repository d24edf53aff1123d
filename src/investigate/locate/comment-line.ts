const COMMENT_LINE = /^\s*(?:#|\/\/|\/\*|\*|--|;|$)/;

/** True for a line that is empty or begins with a comment, which cannot fail. Preprocessor lines and attributes count as well. */
export function isCommentLine(text: string): boolean {
  return COMMENT_LINE.test(text);
}
