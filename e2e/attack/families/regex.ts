import { mapAtOnce } from '../client.ts';
import type { Family, Input } from '../family.ts';
import type { AttackRepository } from '../repositories.ts';
import type { User, World } from '../world.ts';

/*
 * Regular expressions that take long, many at once, and whole trees at once. Invariant: one user has few in progress,
 * all users together not many more, and abandoned ones are stopped.
 */

const EXPRESSIONS = [
  ...[
    '(.*)(.*)(.*)(.*)\\1\\2\\3\\4x',
    '(a*)*b',
    '(a|aa)+$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(x+x+)+y',
    '(.*a){12}',
  ],
  ...[
    '[[:alpha:]]*[[:digit:]]*[[:alpha:]]*x{200}',
    '((((((((((.*)*)*)*)*)*)*)*)*)*)',
    '.{1,250}.{1,250}.{1,250}z',
    '(.)\\1(.)\\2(.)\\3',
  ],
  ...[
    'a{1,32767}',
    '(((a{1,100}){1,100}){1,100})',
    '[^a]*[^b]*[^c]*[^d]*[^e]*z',
    '\\',
    '(',
    '[',
    '*',
    '+',
    '{',
    'x{2,1}',
    '[[:x:]]',
    '\\1',
  ],
  ...[
    '(a?){30}a{30}',
    '.*.*.*.*.*=.*',
    '|'.repeat(500),
    '('.repeat(300) + ')'.repeat(300),
    '\u0001',
    '-e x',
    '--open-files-in-pager=id',
    '-f/etc/passwd',
  ],
];

let attacker: User;
let project = '';

/** Three thousand files in which many words look alike; a tenth of them for the short form. */
export const buildWords =
  ({ short }: Pick<World, 'short'>) =>
  async (repo: AttackRepository): Promise<void> => {
    for (let part = 0; part < (short ? 6 : 60); part++) {
      const files = Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [`src/p${part}/file${index}.py`, pageOf(part * 50 + index)]),
      );
      await repo.commit({ message: `Add part ${part} of the shop`, files });
    }
  };

function pageOf(seed: number): string {
  const lines = Array.from({ length: 120 }, (_, index) => {
    const number = (seed * 131 + index * 17) % 9973;
    return index % 4 === 0
      ? `def handle_${number}_order(request_${seed}, value_${index}):`
      : `    total_${number} = compute_price_${(number * 7) % 997}(value_${index}, ${number}) + ${'a'.repeat(number % 40)}`;
  });
  return `${lines.join('\n')}\n`;
}

const linesOf = (q: string) =>
  `/api/search/lines?project_id=${project}&match=regex&q=${encodeURIComponent(q)}`;

const single: Input[] = EXPRESSIONS.map((expression) => ({
  name: `the expression ${expression.slice(0, 50)}`,
  act: async (world) => {
    await world.send(attacker, { path: linesOf(expression) });
    return null;
  },
  slowestMs: 8000,
}));

export const regex: Family = {
  name: 'regular expressions',
  modes: ['default'],
  async setup(world) {
    attacker = await world.signUp('expressions');
    project = (await world.connect(attacker, 'words', buildWords(world))).id;
  },
  inputs: [
    {
      name: '60 of the worst at once',
      act: async (world) => {
        await mapAtOnce(Array(60).fill(EXPRESSIONS[0]), 60, (one) =>
          world.send(attacker, { path: linesOf(one) }),
        );
        return null;
      },
      slowestMs: 40_000,
    },
    {
      name: '12 of the worst at once',
      act: async (world) => {
        await mapAtOnce(Array(12).fill(EXPRESSIONS[0]), 12, (one) =>
          world.send(attacker, { path: linesOf(one), hangUpMs: 6000 }),
        );
        return null;
      },
      slowestMs: 8000,
      short: true,
    },
    {
      name: '60 of the worst, disconnected after 100 ms',
      act: async (world) => {
        await mapAtOnce(EXPRESSIONS.concat(EXPRESSIONS), 60, (one) =>
          world.send(attacker, { path: linesOf(one), hangUpMs: 100 }),
        );
        return null;
      },
    },
    ...single,
    {
      name: '12 whole trees at once',
      act: async (world) => {
        await mapAtOnce(Array(12).fill(0), 12, () =>
          world.send(attacker, { path: `/api/ide/projects/${project}/files` }),
        );
        return null;
      },
      slowestMs: 5000,
    },
  ],
};
