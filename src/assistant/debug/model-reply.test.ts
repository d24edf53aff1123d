import { expect, test } from 'vitest';
import { normalizePatch, parseReply, REPLY_FORMAT } from './model-reply.ts';

const FIELDS = {
  root_cause: 'The key is looked up before it is checked [e1].',
  fix: 'Check it first.',
  patch: '--- a/x.js\n+++ b/x.js\n@@ -1,1 +1,1 @@\n-a\n+b\n',
  best_practices: ['Check before use.', 'Test unknown keys.'],
  confidence_basis: 'The trace.',
  citations: ['x.js:1-2 @ abcdef0'],
  place_order: ['p2', 'p1'],
};

const READ = {
  rootCause: FIELDS.root_cause,
  fix: FIELDS.fix,
  patch: FIELDS.patch,
  bestPractices: FIELDS.best_practices,
  confidenceBasis: FIELDS.confidence_basis,
  citations: FIELDS.citations,
  placeOrder: FIELDS.place_order,
};

const HEADED = `### Root cause
${FIELDS.root_cause}

**Fix**
${FIELDS.fix}

## Patch
\`\`\`diff
${FIELDS.patch.trimEnd()}
\`\`\`

Best practices:
- Check before use.
2. Test unknown keys.

# Confidence basis
The trace.

Citations:
x.js:1-2 @ abcdef0

Place order:
p2
p1
`;

test.each([
  ['JSON', JSON.stringify(FIELDS)],
  [
    'JSON in a fence among words',
    `Here it is:\n\`\`\`json\n${JSON.stringify(FIELDS, null, 2)}\n\`\`\`\nDone.`,
  ],
  ['headings', HEADED],
])('a reply as %s is parsed', (_form, text) => {
  expect(parseReply(text)).toEqual(READ);
});

test('missing or mistyped fields are empty, and lists may be lines of text', () => {
  const text = JSON.stringify({
    root_cause: 'It.',
    best_practices: '- One\n- Two',
    patch: 7,
    place_order: null,
  });
  expect(parseReply(text)).toEqual({
    rootCause: 'It.',
    fix: '',
    patch: null,
    bestPractices: ['One', 'Two'],
    confidenceBasis: '',
    citations: [],
    placeOrder: [],
  });
});

test.each([
  ['nothing', ''],
  ['JSON cut short', '{"root_cause": "The key is'],
  ['other JSON', '{"answer": 42}'],
  ['no cause', '{"root_cause": " "}'],
  ['a refusal', "I'm sorry, but I can't help with that."],
])('%s is not an answer', (_name, text) => {
  expect(parseReply(text)).toBeNull();
});

test('text without headings is the root cause when it refers to evidence', () => {
  expect(parseReply('The lookup fails, see [e1].')?.rootCause).toBe('The lookup fails, see [e1].');
});

test('a patch is normalized for git', () => {
  const loose =
    '```diff\ndiff --git a/x.js b/x.js\nindex 11..22\n--- x.js\n+++ x.js\n@@ -3,9 +3,1 @@ function x\n a\n-b\n+c\n+d\n\n--- /dev/null\n+++ y.js\n@@\n+e\n```';
  expect(normalizePatch(loose)).toBe(
    '--- a/x.js\n+++ b/x.js\n@@ -3,2 +3,3 @@ function x\n a\n-b\n+c\n+d\n--- /dev/null\n+++ b/y.js\n@@ -0,0 +1,1 @@\n+e\n',
  );
});

test('the schema requires every field, as strict providers demand', () => {
  expect(REPLY_FORMAT.schema).toMatchObject({ additionalProperties: false, required: Object.keys(FIELDS) });
});
