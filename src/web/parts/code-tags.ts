import { type Tag, tags } from '@lezer/highlight';

/** Colour of a token: six hues in all, with the ink of plain text and the muted ink of comments. */
export type CodeTokenKind = 'plain' | 'keyword' | 'string' | 'number' | 'comment' | 'function';

/** Tags of each colour, for code that is read and for the editor. */
export const CODE_TAGS: Record<Exclude<CodeTokenKind, 'plain'>, Tag[]> = {
  comment: [tags.comment, tags.meta, tags.processingInstruction, tags.documentMeta],
  keyword: [
    tags.keyword,
    tags.modifier,
    tags.operatorKeyword,
    tags.self,
    tags.tagName,
    tags.heading,
    tags.definitionKeyword,
  ],
  string: [tags.string, tags.regexp, tags.character, tags.attributeValue, tags.inserted],
  number: [tags.number, tags.bool, tags.null, tags.atom, tags.attributeName, tags.color, tags.unit],
  function: [
    tags.function(tags.variableName),
    tags.function(tags.propertyName),
    tags.function(tags.definition(tags.variableName)),
    tags.definition(tags.function(tags.variableName)),
    tags.definition(tags.typeName),
    tags.typeName,
    tags.className,
    tags.macroName,
    tags.labelName,
    tags.link,
    tags.url,
  ],
};
