import { expect, test } from 'vitest';
import { findEnclosingFunction } from './enclosing-function.ts';

/** Code whose line with `◀` is asked about, with the name and the parameters of the function around it. */
test.each<[string, string | null, string[]]>([
  ['def f(a, *, b=1):\n    x = 1\n    return b ◀', 'f', ['a', 'b']],
  [
    'class A:\n    async def get(\n        self,\n        url: str,\n        **kw: Any,\n    ) -> B:\n        if url:\n            go(kw) ◀',
    'get',
    ['url', 'kw'],
  ],
  ['exports.f = function (\n  $el,\n  name\n) {\n  return $el.x ◀\n}', 'f', ['$el', 'name']],
  [
    'class A {\n  async send(message, { retries } = {}) {\n    for (const one of message) {\n      go(one) ◀',
    'send',
    ['message', 'retries'],
  ],
  ['const total = (order: Order, rate = 1): number => {\n  return order.sum ◀', 'total', ['order', 'rate']],
  ['function all(list) {\n  list.forEach((one, at) => {\n    go(one) ◀', null, ['one', 'at']],
  [
    'func (s *Server) Serve(conn net.Conn, paths []string) error {\n\treturn conn.Close() ◀',
    'Serve',
    ['conn', 'paths'],
  ],
  [
    'fn read<T: Read>(input: &mut T, size: u8) -> Result<()> {\n    input.read() ◀',
    'read',
    ['input', 'size'],
  ],
  ['def add(name, *rest, &block)\n  rest.join ◀', 'add', ['name', 'rest', 'block']],
  ['def self.open path, mode\n  path.size ◀', 'open', ['path', 'mode']],
  [
    '    public static function make(?array $items, string $name = ""): self\n    {\n        return $items[0]; ◀',
    'make',
    ['$items', '$name'],
  ],
  [
    '  public static <T> Order of(final String name, List<T> parts) throws IOException {\n    return name.trim(); ◀',
    'of',
    ['name', 'parts'],
  ],
  [
    '  public Order of(final String name, List<T> parts)\n      throws IOException {\n      return name.trim(); ◀',
    'of',
    ['name', 'parts'],
  ],
  ['static jv f_join(jq_state *jq, jv input)\n{\n  jv_free(input); ◀', 'f_join', ['jq', 'input']],
])('%j', (code, name, parameters) => {
  const lines = code.split('\n');
  const line = lines.findIndex((one) => one.endsWith('◀')) + 1;
  const found = findEnclosingFunction(lines, line);
  expect({ name: found?.name, parameters: found?.parameters.flat() }).toEqual({ name, parameters });
});

test('a line of no function', () => {
  expect(findEnclosingFunction(['import os', 'if os.name:', '    main()'], 3)).toBeNull();
});
