import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { investigate } from '../investigate.ts';

const CHECKS = `package com.acme.shop;

final class Checks {
  static void checkArgument(boolean condition, String format, Object... args) {
    if (!condition) throw new IllegalArgumentException(String.format(format, args));
  }
}
`;
const ORDER = `package com.acme.shop;

public final class Order {
  public static Order of(String name) {
    Checks.checkArgument(!name.isEmpty(), "no article is named %s", name);
    return new Order();
  }
  int share(int parts) {
    return 100 / parts;
  }
}
`;

const TASKS = `module Shop
  class Tasks
    def [](name)
      lookup(name) or
        fail message_for_missing_task(name)
    end

    def message_for_missing_task(name)
      text = "Don't know how to deliver the order '#{name}'"
      text + suggestions(name)
    end
  end
end
`;

let repository: TestRepository;
let index: RepositoryIndex;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const folder = 'src/main/java/com/acme/shop';
    const files = {
      [`${folder}/Checks.java`]: CHECKS,
      [`${folder}/Order.java`]: ORDER,
      ...{
        'shop.gemspec': "Gem::Specification.new 'shop', '1.2.0'\n",
        'exe/shop': 'Shop.run\n',
        'lib/shop/tasks.rb': TASKS,
      },
    };
    await repo.commit({ date: '2021-01-05T10:00:00Z', message: 'Order articles', files });
    await repo.commit({ date: '2024-01-05T10:00:00Z', message: 'Notes', files: { 'notes.md': 'None.\n' } });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

const investigateText = async (error_message: string) =>
  await investigate(
    { error_message },
    { repo: repository.path, index, sessions: [], now: '2024-02-01T00:00:00Z' },
  );

test('the guard is the call that passes the message to a helper', async () => {
  const { guard, kind } =
    await investigateText(`Exception in thread "main" java.lang.IllegalArgumentException: no article is named pen
\tat com.acme.shop.Checks.checkArgument(Checks.java:5)
\tat com.acme.shop.Order.of(Order.java:5)
\tat app.Main.main(Main.java:3)`);
  expect(guard).toMatchObject({ path: 'src/main/java/com/acme/shop/Order.java', line: 5 });
  expect(kind).toBe('raised_on_purpose');
});

test('a class of the project that is absent at run time is a fault of the environment', async () => {
  const { places, kind } =
    await investigateText(`Exception in thread "main" java.lang.NoClassDefFoundError: com/acme/shop/Order
\tat app.Main.main(Main.java:6)`);
  expect(kind).toBe('environment');
  expect(places[0]?.path).toBe('src/main/java/com/acme/shop/Order.java');
});

test('a number that only the project computes is a sign of a fault', async () => {
  const { kindEvidence } =
    await investigateText(`Exception in thread "main" java.lang.ArithmeticException: / by zero
\tat com.acme.shop.Order.share(Order.java:9)
\tat app.Main.main(Main.java:3)`);
  expect(kindEvidence.fault).toMatchObject({ impossibleValue: 1, internalType: 1 });
});

test('the same words of code that the project called back are no guard of the project', async () => {
  const { guard } =
    await investigateText(`menu.rb:4:in \`block in <main>': Don't know how to deliver the order 'pens' (ArgumentError)
\tfrom /var/lib/gems/3.1.0/gems/shop-1.2.0/lib/shop/tasks.rb:3:in \`[]'
\tfrom menu.rb:2:in \`<main>'`);
  expect(guard).toBeNull();
});

test('a cut trace leads to the statement that raises what a function words', async () => {
  const { guard, kind, patch } = await investigateText(`shop aborted!
Don't know how to deliver the order 'pens'
Did you mean?  pen
/srv/app/vendor/bundle/ruby/3.1.0/gems/shop-1.2.0/exe/shop:1:in \`<main>'`);
  expect(guard).toMatchObject({ path: 'lib/shop/tasks.rb', line: 5 });
  expect({ kind, patch }).toEqual({ kind: 'raised_on_purpose', patch: null });
});
