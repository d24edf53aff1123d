import type { Locator, Page } from 'playwright-core';

type Scope = Page | Locator;

/** Locator within a page or a part of it. */
export type Target = (scope: Scope) => Locator;

type Words = string | RegExp;
type Role = Parameters<Page['getByRole']>[0];

/** Anything with this role and exactly this name, or a name like it. */
export const role = (kind: Role, name?: Words): Target => {
  return (scope) => scope.getByRole(kind, name === undefined ? {} : { name, exact: true });
};

export const button = (name: Words): Target => role('button', name);
export const link = (name: Words): Target => role('link', name);
export const heading = (name?: Words): Target => role('heading', name);
export const tab = (name: Words): Target => role('tab', name);
export const checkbox = (name: Words): Target => role('checkbox', name);

/** Text that contains these words, with these capitals. */
export const text = (words: Words): Target => {
  return (scope) => scope.getByText(typeof words === 'string' ? new RegExp(escaped(words)) : words);
};

/** An input by its label. */
export const field = (label: Words): Target => {
  return (scope) => scope.getByLabel(label, { exact: true });
};

export const placeholder = (words: string): Target => {
  return (scope) => scope.getByPlaceholder(words, { exact: true });
};

/** By a selector, where no words say what is meant. */
export const css = (selector: string): Target => {
  return (scope) => scope.locator(selector);
};

/** Something inside of something else. */
export const within = (outer: Target, inner: Target): Target => {
  return (scope) => inner(outer(scope).filter({ visible: true }).first());
};

/** The first that is there of several ways to build the same. */
export const either = (...targets: Target[]): Target => {
  return (scope) => targets.map((target) => target(scope)).reduce((one, other) => one.or(other));
};

function escaped(words: string): string {
  return words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
