import { expect, test } from 'vitest';
import { formatAgentPrompt } from './agent-prompt.ts';

test('a prompt has the error, its place, the evidence and the constraints, and no empty section', () => {
  const why = { code: '', params: {}, text: 'Innermost frame' };
  const prompt = formatAgentPrompt({
    request: { error_message: 'TypeError: x is undefined\n    at f (a.js:3:1)\n' },
    answer: {
      root_cause: null,
      places: [{ path: 'a.js', start_line: 1, end_line: 5, symbol: 'f', score: 1, why }],
      evidence: [
        { id: 'e1', kind: 'frame', path: 'a.js', lines: [3, 3], commit: 'a'.repeat(40), quote: '', why },
      ],
      suspect_commits: [],
      indexed_commit: 'b'.repeat(40),
    },
  });
  expect(prompt).toContain(
    '## Error\nTypeError: x is undefined\n    at f (a.js:3:1)\n\n## Where\n- a.js:1-5 (f)',
  );
  expect(prompt).toContain('- a.js:3 @ aaaaaaaaaaaa: Innermost frame');
  expect(prompt).toContain('commit bbbbbbbbbbbb or later');
  expect(prompt).not.toMatch(/## (?:Cause|Suspect|Tests)/);
});
