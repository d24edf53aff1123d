import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectLanguage, GRAMMAR_LANGUAGES } from './languages.ts';
import { chunkFile } from './passages.ts';
import { expectFullCoverage, hasSyntaxErrors } from './testing.ts';

interface Sample {
  path: string;
  text: string;
  /** Full names of what it defines. */
  names: string;
}

/** Expected symbols per grammar. */
const samples: Record<(typeof GRAMMAR_LANGUAGES)[number], Sample> = {
  c: {
    path: 'a.c',
    text: '#include "a/b.h"\n#include <stdio.h>\n#define MAX(a) (a)\nstruct point { int x; };\ntypedef struct point pt;\nstatic int *find(int a)\n{\n\treturn 0;\n}\n',
    names: 'MAX point pt find',
  },
  cpp: {
    path: 'a.cc',
    text: '#include <vector>\nnamespace net {\nclass Socket {\n public:\n  int read() { return 0; }\n  void close();\n};\n}\ntemplate <typename T>\nint net::Socket::write(T t) { return 1; }\nextern "C" { void k() {} }\n',
    names: 'net net.Socket net.Socket.read net.Socket.close net.Socket.write k',
  },
  csharp: {
    path: 'a.cs',
    text: 'using System.Text;\nusing static A.B;\nusing X = C.D;\nnamespace N {\n  [Serializable]\n  public class Cart {\n    const int Limit = 1;\n    int plain;\n    public int Total { get; set; }\n    public event Handler Sold;\n    public Cart() {}\n    int Add(int x) { return x; }\n  }\n}\n',
    names: 'Cart Cart.Limit Cart.Total Cart.Sold Cart.Cart Cart.Add',
  },
  css: {
    path: 'a.css',
    text: '@import "a.css";\n@import url(b.css);\n.btn { color: red }\n#main { color: red }\np { color: red }\n@keyframes spin { from { top: 0 } }\n',
    names: 'btn main spin',
  },
  dart: {
    path: 'a.dart',
    text: "import 'package:a/b.dart';\n@immutable\nclass Cart extends Base {\n  Cart();\n  int get size => 1;\n  void add(String x) {\n    print(x);\n  }\n}\nmixin M { void go() {} }\nextension E on String { int f() => 1; }\nenum Color { red }\ntypedef F = void Function();\nint top(int a) { return a; }\nconst limit = 3;\n",
    names: 'Cart Cart.Cart Cart.size Cart.add M M.go E E.f Color F top limit',
  },
  go: {
    path: 'a.go',
    text: 'package a\n\nimport (\n\t"fmt"\n\tx "github.com/a/b"\n)\n\ntype Session[T any] struct{}\ntype (\n\tReader interface { Read() error }\n\tB struct{}\n)\n\nfunc (s *Session[T]) Do() {}\nfunc New() {}\n\nconst (\n\tC = 1\n\tD = 2\n)\n',
    names: 'Session Reader Reader.Read B Session.Do New C D',
  },
  java: {
    path: 'A.java',
    text: 'import java.util.List;\nimport static a.b.C.*;\nclass A {\n  static final int LIMIT = 1;\n  int plain;\n  @Override\n  public String toString() { return "x"; }\n  A() {}\n  interface B { void run(); }\n  enum E { X { void f() {} } }\n}\n',
    names: 'A A.LIMIT A.toString A.A A.B A.B.run A.E A.E.f',
  },
  javascript: {
    path: 'a.js',
    text: "import a from './a.js';\nexport * from 'b';\nconst fs = require('fs');\nconst c = await import('c');\nconst name = 'x', kState = Symbol('s');\nclass A {\n  static LIMIT = 3;\n  go() {}\n  later = () => 1;\n  plain = 2;\n}\nconst f = () => 2;\nFoo.prototype.bar = function () {};\nexports.baz = async () => {};\nexport const LIMIT = 3;\nexport const api = { users: { list() {} }, get: () => 1, size: 2 };\nmodule.exports = { own() {} };\nfunction top() { const inner = 1; }\n",
    names:
      'name kState A A.LIMIT A.go A.later f Foo.bar baz LIMIT api api.users api.users.list api.get own top',
  },
  php: {
    path: 'a.php',
    text: "<?php\nuse App\\Models\\User;\nuse App\\{A, B as C};\nrequire_once __DIR__ . '/x.php';\nfunction top() {}\nclass A {\n  const LIMIT = 1;\n  public function go() { return 'x'; }\n}\ninterface B {}\n",
    names: 'top A A.LIMIT A.go B',
  },
  python: {
    path: 'a.py',
    text: 'import os, a.b as c\nfrom ..pkg.mod import (part, Whole)\nfrom . import sib\nLIMIT = 1\n\nclass A:\n    name: str = ""\n    @property\n    def go(self):\n        def inner(): pass\n        return inner\n\n@cache\ndef top(): pass\n',
    names: 'LIMIT A A.name A.go A.go.inner top',
  },
  ruby: {
    path: 'a.rb',
    text: "require 'json'\nrequire_relative '../a'\nmodule M\n  class A < B\n    LIMIT = 3\n    scope :open, -> { where(x: 1) }\n    def go\n    end\n    def self.make\n    end\n  end\nend\n",
    names: 'M M.A M.A.LIMIT M.A.open M.A.go M.A.make',
  },
  rust: {
    path: 'a.rs',
    text: 'use std::{io, fmt::{self, Debug as D}};\nuse super::x;\nmod deeper;\n#[derive(Debug)]\nstruct S<T>(T);\nimpl<T> Run for &S<T> {\n    fn go(&self) {}\n}\ntrait Run { fn run(&self); }\nmod inner { pub fn deep() {} }\nmacro_rules! m { () => {} }\n',
    names: 'S S S.go Run Run.run inner inner.deep m',
  },
  solidity: {
    path: 'a.sol',
    text: 'import "./Owned.sol";\ncontract Token is Owned {\n  uint constant LIMIT = 1;\n  event Sent(address a);\n  error Bad(uint x);\n  modifier only() { _; }\n  function send(address to) public { require(true, "no"); }\n}\nlibrary L { function g() internal {} }\n',
    names: 'Token Token.LIMIT Token.Sent Token.Bad Token.only Token.send L L.g',
  },
  tsx: {
    path: 'a.tsx',
    text: 'export interface Props { a: string }\nexport function Page({ a }: Props) {\n  const onClick = () => 1;\n  return <b onClick={onClick}>{a} words</b>;\n}\nconst Row = memo(() => <i />);\n',
    names: 'Props Page Page.onClick Row',
  },
  typescript: {
    path: 'a.ts',
    text: "import type { T } from './t.ts';\nimport x = require('y');\n@injectable()\nexport class A<T> {\n  constructor(private a: T) {}\n  get size() { return 1; }\n}\nexport type B = string;\nenum C { X }\ninterface I { go(): void }\nexport const api = { get() {} } as const;\nnamespace N { export function f() {} }\n",
    names: 'A A.constructor A.size B C I I.go api api.get N N.f',
  },
};

/** Formats chunked by layout, and pages by their scripts. */
const others: Sample[] = [
  {
    path: 'a.sh',
    text: '. ./lib.sh\n# Says it.\nsay () {\n\techo "a word"\n}\nfunction run\n{\n  say\n}\nsay\n',
    names: 'say run',
  },
  {
    path: 'a.pm',
    text: 'package A::B;\nuse C::D;\nsub run {\n    my $x;\n}\n1;\n',
    names: 'A.B run',
  },
  {
    path: 'a.kt',
    text: 'import a.b.C\n\nprivate data class Cart(val x: Int) : Base() {\n    override suspend fun <T> add(x: T): Int {\n        return 1\n    }\n\n    companion object {\n        const val LIMIT = 3\n    }\n}\nfun String.top() = 1\n',
    names: 'Cart Cart.add Cart.LIMIT top',
  },
  {
    path: 'a.swift',
    text: 'import Foundation\npublic final class Cart<T>: Base {\n    var total: Int = 3\n    required init?(a: Int) {\n    }\n    class func add(_ x: String) -> Int {\n        return 1\n    }\n}\nprotocol P {\n    func run()\n}\nextension Cart {\n    func more() {}\n}\nfunc top() {}\n',
    names: 'Cart Cart.init Cart.add P P.run Cart Cart.more top',
  },
  {
    path: 'a.scala',
    text: 'import a.b.C\nobject Cart {\n  private[x] def add(a: Int) = 1\n  case class Row(a: Int)\n}\ntrait T\n',
    names: 'Cart Cart.add Cart.Row T',
  },
  {
    path: 'a.lua',
    text: 'local m = require("x.y")\nfunction M.go(a)\n  return 1\nend\nlocal f = function()\nend\n',
    names: 'M.go f',
  },
  {
    path: 'a.ex',
    text: 'defmodule A.B do\n  use GenServer\n  def go?(a) do\n    a\n  end\nend\n',
    names: 'A.B A.B.go?',
  },
  {
    path: 'Cargo.toml',
    text: '[package]\nname = "x"\n\n[dependencies]\na = "1"\n',
    names: 'package dependencies',
  },
  {
    path: 'a.ps1',
    text: 'function Get-Thing {\n  param($a)\n}\nclass Cart {\n}\n',
    names: 'Get-Thing Cart',
  },
  {
    path: 'a.vue',
    text: '<template>\n  <b>{{ a }}</b>\n</template>\n<script setup lang="ts">\nimport x from \'./x.vue\';\nconst go = (a: number) => a;\n</script>\n',
    names: 'go',
  },
  { path: 'a.html', text: '<p>words</p>\n', names: '' },
];

test.each([...Object.values(samples), ...others])(
  '$path: definitions have full names',
  async ({ path, text, names }) => {
    const cut = await chunkFile(path, text);
    expectFullCoverage(text, cut);
    expect(cut.passages.flatMap((passage) => passage.defines).sort()).toEqual(
      names.split(' ').filter(Boolean).sort(),
    );
  },
);

test.each(GRAMMAR_LANGUAGES)(
  '%s: its sample has no syntax errors, and a broken one has',
  async (language) => {
    const { path, text } = samples[language];
    expect(detectLanguage(path, text)).toBe(language);
    expect(await hasSyntaxErrors(language, text)).toBe(false);
    expect(await hasSyntaxErrors(language, `${text}\n)]} \u0001 ((`)).toBe(true);
  },
);

test.each([...Object.values(samples), ...others])(
  '$path: every line of broken and repeated code is in one passage',
  async ({ path, text }) => {
    const lines = text.split('\n');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(lines.length - 1), { maxLength: 300 }), async (picks) => {
        const mixed = picks.map((pick) => lines[pick]!.slice(0, 60)).join('\n');
        expectFullCoverage(mixed, await chunkFile(path, mixed));
      }),
      { numRuns: 25 },
    );
  },
);

test('a layout reads its rows once, whatever they contain', async () => {
  for (const row of [
    '(def ',
    'f() {',
    '    '.repeat(60),
    '{{{{',
    'class A',
    '#',
    '"',
    'a: b: c:',
    'const fun ',
  ])
    for (const path of ['a.sh', 'a.kt', 'a.clj', 'a.groovy', 'a.scss', 'Makefile', 'a.proto']) {
      const text = `${row.repeat(40)}\n`.repeat(300) + `${row}\n`.repeat(5000);
      expectFullCoverage(text, await chunkFile(path, text));
    }
});

test('a block comment stays with the definition it documents, also by layout', async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, i) => `    step(${i})`).join('\n');
  const text = `fun first() {\n${rows(30)}\n}\n\n/**\n * Says words.\n */\nfun second() {\n${rows(30)}\n}\n`;
  const { passages } = await chunkFile('a.kt', text);
  expect(passages.map(({ start, symbol }) => [start, symbol])).toEqual([
    [1, 'first'],
    [34, 'second'],
  ]);
  const prose = passages.flatMap(({ runs }) => runs).filter((run) => run.prose);
  expect(prose.map(({ from, to }) => text.slice(from, to))).toContain('* Says words.');
});
