import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { openSourceReader, type SourceReader } from '#investigate/locate/source-reader.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { linkDependencies } from './link-dependencies.ts';
import { readManifestNames } from './manifests.ts';

let repository: TestRepository;
let index: RepositoryIndex;
let sources: SourceReader;

const FILES = {
  'package.json':
    '{ "name": "@acme/shop", "dependencies": { "on-finished": "1" }, "devDependencies": { "@types/node": "1" } }',
  'composer.json': '{ "require": { "php": ">=8", "symfony/deprecation-contracts": "^2" } }',
  'requirements/dev.txt': '# tools\npytest>=7\nJinja2[async]==3.1 ; python_version > "3"\n-r base.txt\n',
  'pyproject.toml':
    '[project]\nname = "shop"\ndependencies = [\n  "greenlet>=1",\n]\n[project.optional-dependencies]\nasync = ["asgiref>=3.2"]\n[tool.pytest.ini_options]\ntestpaths = ["checks"]\n',
  'setup.cfg': '[metadata]\nname = shop\n[options]\ninstall_requires =\n    click>=8\n    itsdangerous\n',
  'go.mod':
    'module example.com/acme/shop\n\nrequire (\n\tgithub.com/goccy/go-yaml v1.2.3\n\tgithub.com/acme/lib/v2 v2.0.0 // indirect\n)\n',
  'Cargo.toml':
    '[package]\nname = "shop"\n\n[dependencies]\ncrossbeam-deque = "0.8"\n\n[dev-dependencies.serde_json]\nversion = "1"\n',
  Gemfile: "source 'https://rubygems.org'\ngem 'rack-test', '~> 2'\n",
  'shop.gemspec':
    "Gem::Specification.new do |s|\n  s.name = 'shop'\n  s.add_dependency 'mustermann', '~> 3'\nend\n",
  'pom.xml':
    '<project><artifactId>shop</artifactId><dependencies><dependency><groupId>com.google.guava</groupId><artifactId>guava</artifactId></dependency></dependencies></project>',
  'build.gradle': "dependencies {\n  implementation 'org.slf4j:slf4j-api:2.0'\n}\n",
  '.gitmodules': '[submodule "x"]\n\tpath = vendor/oniguruma\n\turl = https://example.org/o.git\n',
};

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({ files: FILES, message: 'Start' });
  });
  index = await indexRepository(repository.path, 'main');
  sources = openSourceReader(repository.path, index);
});
afterAll(async () => {
  sources.close();
  await repository.remove();
});

test.each([
  ['what is on-finished used for', 'on-finished', 'package.json'],
  ['why @types/node', '@types/node', 'package.json'],
  ['where do we use symfony/deprecation-contracts?', 'symfony/deprecation-contracts', 'composer.json'],
  ["where are Symfony's deprecation contracts used?", 'symfony/deprecation-contracts', 'composer.json'],
  ['wozu dient deprecation-contracts', 'symfony/deprecation-contracts', 'composer.json'],
  ['which version of jinja2', 'Jinja2', 'requirements/dev.txt'],
  ['why greenlet?', 'greenlet', 'pyproject.toml'],
  ['¿para qué usamos asgiref?', 'asgiref', 'pyproject.toml'],
  ['who imports itsdangerous', 'itsdangerous', 'setup.cfg'],
  ['why do we pull in goccy/go-yaml', 'github.com/goccy/go-yaml', 'go.mod'],
  ['go-yaml usage', 'github.com/goccy/go-yaml', 'go.mod'],
  ['crossbeam_deque', 'crossbeam-deque', 'Cargo.toml'],
  ['who needs serde_json', 'serde_json', 'Cargo.toml'],
  ['rack-test', 'rack-test', 'Gemfile'],
  ['what does Mustermann do here', 'mustermann', 'shop.gemspec'],
  ['guava', 'com.google.guava:guava', 'pom.xml'],
  ['slf4j-api', 'org.slf4j:slf4j-api', 'build.gradle'],
  ['oniguruma', 'oniguruma', '.gitmodules'],
])('%j links %s of %s', async (text, name, manifest) => {
  const [mention, ...others] = await linkDependencies(text, { index, sources });
  expect(mention!.entity).toEqual({ kind: 'dependency', name, manifests: [manifest] });
  expect(mention!.score).toBeGreaterThan(0.75);
  expect(others).toEqual([]);
});

test.each(['how do I run the checks', 'what is shop', 'who wrote lib'])(
  '%j names no dependency for certain',
  async (text) => {
    expect((await linkDependencies(text, { index, sources })).filter(({ score }) => score > 0.5)).toEqual([]);
  },
);

test('the names of the project are known', async () => {
  expect([...(await readManifestNames({ index, sources })).projects]).toEqual(
    expect.arrayContaining(['shop', '@acme/shop', 'example.com/acme/shop']),
  );
});
