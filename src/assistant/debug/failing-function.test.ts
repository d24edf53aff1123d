import { expect, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { indexRepository } from '#memory/testing.ts';
import { answerError } from './answer-error.ts';

/** Statements that make a function a passage of its own. */
const SETTINGS = Array.from({ length: 24 }, (_, i) => `  this.app.set('option ${i}', ${i});`).join('\n');
const RESPONSE = `'use strict';

/**
 * Send JSON response, for its length see \`send\`.
 *
 * Examples:
 *
 *     res.json(null);
 */
res.json = function json(obj) {
${SETTINGS}
  const body = stringify(obj);
  if (!this.get('Content-Type')) this.set('Content-Type', 'application/json');
  return this.send(body);
};

/** Ends the response. */
res.finish = function finish() {
${SETTINGS}
  return this.socket.end();
};
`;

/** Printed by a release whose lines are in other places. */
const TRACE = `TypeError: Cannot read properties of undefined (reading 'length')
    at ServerResponse.json (/app/node_modules/shop/lib/response.js:250:20)
    at handle (/app/server.js:12:7)`;

test('where the line of a trace does not fit, the function is named and shown, never its comment', async () => {
  const repository = await buildRepository(async (repo) => {
    const files = { 'package.json': '{\n  "name": "shop"\n}\n', 'lib/response.js': RESPONSE };
    await repo.commit({ date: '2019-01-05T10:00:00Z', author: 'Ada', message: 'Add responses', files });
    for (const month of ['02', '03', '04', '05'])
      await repo.commit({
        ...{ date: `2024-${month}-05T10:00:00Z`, author: 'Ada', message: `Add notes of month ${month}` },
        files: { [`notes-${month}.md`]: 'Notes\n' },
      });
  });
  try {
    const index = await indexRepository(repository.path, 'main');
    const deps = { repo: repository.path, index, sessions: [], now: '2024-01-10T00:00:00Z' };
    const { root_cause, evidence } = await answerError({ error_message: TRACE }, deps, 'en');
    expect(root_cause).toMatchObject({
      code: 'debug.cause.function_caller_at',
      text: '`res.json` most likely failed on a value from its caller, `/app/server.js:12`.',
    });
    expect(evidence[0]).toMatchObject({ kind: 'frame', path: 'lib/response.js', lines: [10, 39] });
    expect(evidence[0]?.quote).toBe('res.json = function json(obj) {');
  } finally {
    await repository.remove();
  }
});

/** An interface of the same file has a method of that name. */
const MESSAGES = `package api

// A Store keeps messages.
type Store interface {
	CreateMessage(text string) error
}

${Array.from({ length: 24 }, (_, i) => `// Limit${i} is a limit.\nconst Limit${i} = ${i}`).join('\n')}

// CreateMessage creates a message.
//
//	responses:
//	  200: Ok
func (a *API) CreateMessage(c *Context) {
${Array.from({ length: 24 }, (_, i) => `	a.check(c, "rule ${i}")`).join('\n')}
	a.store.CreateMessage(c.text)
}
`;

test('a line that is a comment does not fit either, and another definition of the name is not the function', async () => {
  const repository = await buildRepository(async (repo) => {
    await repo.commit({ files: { 'go.mod': 'module example.org/shop\n', 'api/message.go': MESSAGES } });
  });
  try {
    const index = await indexRepository(repository.path, 'main');
    const lines = MESSAGES.split('\n');
    const comment = lines.indexOf('//\t  200: Ok') + 1;
    const error_message = `panic: runtime error: invalid memory address or nil pointer dereference

goroutine 12 [running]:
example.org/shop/api.(*API).CreateMessage(0xc0000, 0xc0001)
	/src/shop/api/message.go:${comment} +0x1f4
`;
    const deps = { repo: repository.path, index, sessions: [], now: '2024-01-10T00:00:00Z' };
    const { root_cause, evidence } = await answerError({ error_message }, deps, 'en');
    expect(root_cause?.text).not.toContain(`message.go:${comment}`);
    expect(evidence[0]).toMatchObject({ kind: 'frame', path: 'api/message.go' });
    expect(evidence[0]?.lines?.[0]).toBe(comment + 1);
  } finally {
    await repository.remove();
  }
});
