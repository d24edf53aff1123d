import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** Counts of what people met. */
export interface BrowsingResult {
  journeys: number;
  steps: number;
  /** Retries that a page offered and that were pressed. */
  retries: number;
  /** Steps that were given up with a way on still shown. */
  abandoned: number;
  /** Documents that the load balancer could not deliver and that were loaded again. */
  reloads: number;
  /** Pages that neither showed what was asked for nor a way on. */
  deadEnds: string[];
  /** Errors that no part of a page handled. */
  pageErrors: string[];
  /** Lines that the page said were saved. */
  saved: { name: string; branch: string; line: string }[];
}

/** Time in which a page must show what was asked for, or a way on; servers start within it. */
const STEP_TIMEOUT_MS = 180_000;
const LOOK_EVERY_MS = 300;
/** A way on is pressed as often as a patient reader would. */
const PRESS_EVERY_MS = 1_500;
/** The editor shows an error for five seconds; after this time its Save is pressed without one. */
const PRESS_SAVE_AFTER_MS = 10_000;
/** Longer than a page that is loaded again takes to restore what was not saved. */
const UNMARKED_MS = 10_000;
/** The proxy's own page, not one of the program. */
const GATEWAY_ERROR = '502 Bad Gateway';
/** Buttons that repeat what failed. */
const WAYS_ON = /^(?:Retry|Reload|Try now|Try again|Save merged version)$/;
/** The file that everyone edits, on a branch of their own. */
export const SAVED_FILE = 'src/total.js';

/** A person in front of a page, and a project to work on. */
export interface Visitor {
  page: Page;
  name: string;
  projectId: string;
  projectName: string;
  /** An error that the repository raises. */
  errorText: string;
}

/** Searches, opens a file, edits and saves, asks, reads the answer and opens the project, until it is over. */
export async function browse(
  visitor: Visitor,
  { result, isOver }: { result: BrowsingResult; isOver(): boolean },
): Promise<void> {
  const { page } = visitor;
  page.on('pageerror', (error) =>
    result.pageErrors.push(`${new URL(page.url()).pathname}: ${error.message}`),
  );
  for (let number = 1; !isOver(); number++) {
    for (const step of [search, openFile, editAndSave, ask, openProject]) {
      if (isOver()) return;
      const isDone = await step(visitor, result, number).catch((error: unknown) => {
        result.deadEnds.push(`${step.name}: ${(error as Error).message.split('\n')[0]}`);
        return false;
      });
      result.steps += 1;
      if (!isDone) break;
      if (step === openProject) result.journeys += 1;
    }
  }
}

async function search({ page, projectId }: Visitor, result: BrowsingResult): Promise<boolean> {
  await visit(page, `/search?q=parseAmount&project_id=${projectId}`);
  return await reach(page, { name: 'search', goal: page.getByRole('list', { name: 'Results' }), result });
}

async function openFile({ page, projectId }: Visitor, result: BrowsingResult): Promise<boolean> {
  await visit(page, `/projects/${projectId}/files/src/read/amount.js`);
  const goal = page.getByText('export function parseAmount').first();
  return await reach(page, { name: 'file', goal, result });
}

/** Types a line of its own and saves it by the key. */
async function editAndSave(visitor: Visitor, result: BrowsingResult, number: number): Promise<boolean> {
  const { page, name, projectId } = visitor;
  await visit(page, `/ide/${projectId}?file=${SAVED_FILE}`);
  const text = page.locator(`.cm-content[aria-label="${SAVED_FILE}"]`);
  if (!(await reach(page, { name: 'editor', goal: text, result }))) return false;
  const line = `// ${name} ${number}`;
  await text.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(`${line}\n`);
  await page.getByText('unsaved', { exact: true }).first().waitFor();
  await page.keyboard.press('Control+s');
  const again = page.getByRole('button', { name: 'Save', exact: true });
  if (!(await reach(page, { name: 'save', goal: untilSaved(page), result, again }))) return false;
  result.saved.push({ name, branch: `hindsight/${name}`, line });
  return true;
}

/** True once the page has said that the file was saved, or no longer marks it as unsaved. */
function untilSaved(page: Page): () => Promise<boolean> {
  const saved = page.getByText(/^Saved [0-9a-f]{7} on /).first();
  const unsaved = page.getByText('unsaved', { exact: true }).first();
  const text = page.locator('.cm-content').first();
  let since: number | null = null;
  return async () => {
    if (await saved.isVisible()) return true;
    const isUnmarked = (await text.isVisible()) && !(await unsaved.isVisible());
    since = isUnmarked ? (since ?? performance.now()) : null;
    return since !== null && performance.now() - since > UNMARKED_MS;
  };
}

async function ask(visitor: Visitor, result: BrowsingResult): Promise<boolean> {
  const { page, projectName, errorText } = visitor;
  await visit(page, '/debug');
  const project = page.getByLabel('Project', { exact: true });
  const option = project.getByRole('option', { name: projectName });
  if (!(await reach(page, { name: 'debug form', goal: option, result, isHidden: true }))) return false;
  await page.getByLabel('Error message').fill(errorText);
  await project.selectOption({ label: projectName });
  const again = page.getByRole('button', { name: 'Find Solution' });
  await again.click();
  const goal = page.getByText('Was this solution helpful?');
  return await reach(page, { name: 'answer', goal, result, again });
}

/** Goes to the project by the links of the answer, without loading a document. */
async function openProject({ page, projectName }: Visitor, result: BrowsingResult): Promise<boolean> {
  await page.getByRole('main').getByRole('link', { name: projectName, exact: true }).first().click();
  const goal = page.getByText(/\d+ files indexed/).first();
  return await reach(page, { name: 'project', goal, result });
}

/** Loads a document; what became of it is looked at afterwards. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'commit' }).catch(() => {});
}

interface Step {
  name: string;
  goal: Locator | (() => Promise<boolean>);
  result: BrowsingResult;
  /** A button of the form that repeats what failed. */
  again?: Locator;
  /** The goal is attached and not shown, such as an option of a list. */
  isHidden?: boolean;
}

/** Presses the ways on that a page shows until it shows the goal; records a dead end and returns false after a time. */
async function reach(page: Page, { name, goal, result, again, isHidden }: Step): Promise<boolean> {
  const end = performance.now() + STEP_TIMEOUT_MS;
  let pressed = performance.now();
  const isThere = async () => {
    if (typeof goal === 'function') return await goal();
    return isHidden ? (await goal.count()) > 0 : await goal.isVisible();
  };
  while (performance.now() < end) {
    if (await isThere().catch(() => false)) return true;
    const idle = performance.now() - pressed;
    const canRepeat = idle > PRESS_SAVE_AFTER_MS;
    if (idle > PRESS_EVERY_MS && (await pressOn(page, { again, canRepeat, result })))
      pressed = performance.now();
    await sleep(LOOK_EVERY_MS);
  }
  if (await findWayOn(page, again)) {
    result.abandoned += 1;
    return false;
  }
  const words = await page
    .locator('body')
    .innerText()
    .catch(() => '');
  result.deadEnds.push(
    `${name} at ${page.url()}: ${words.replaceAll(/\s+/g, ' ').slice(0, 400) || '(blank)'}`,
  );
  return false;
}

/** Presses one way on; false when the page shows none. */
async function pressOn(
  page: Page,
  { again, canRepeat, result }: Pick<Step, 'again' | 'result'> & { canRepeat: boolean },
): Promise<boolean> {
  if (await isUndelivered(page)) {
    result.reloads += 1;
    await page.reload({ waitUntil: 'commit' }).catch(() => {});
    return true;
  }
  // The form stays, with the error above it.
  const hasError = await page
    .getByRole('alert')
    .first()
    .isVisible()
    .catch(() => false);
  const way = await findWayOn(page, hasError || canRepeat ? again : undefined);
  if (way === null) return false;
  await way.click({ timeout: 2_000 }).catch(() => {});
  result.retries += 1;
  return true;
}

/** A button that repeats what failed, or the one of the form; null when the page shows none. */
async function findWayOn(page: Page, again: Locator | undefined): Promise<Locator | null> {
  for (const way of [
    page.getByRole('button', { name: WAYS_ON }).first(),
    ...(again ? [again.first()] : []),
  ]) {
    const isUsable = (await way.isVisible().catch(() => false)) && (await way.isEnabled().catch(() => false));
    if (isUsable) return way;
  }
  return null;
}

/** True for the page of the load balancer, and for that of the browser where no document came at all. */
async function isUndelivered(page: Page): Promise<boolean> {
  if (page.url().startsWith('chrome-error:')) return true;
  return await page
    .getByRole('heading', { name: GATEWAY_ERROR })
    .isVisible()
    .catch(() => false);
}
