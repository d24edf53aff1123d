import { posix } from 'node:path';
import ts from 'typescript-api';
import { AMBIENT_FILE, hasUnknownGlobals } from './ambient-types.ts';
import { projectPath } from './project-files.ts';

interface TrustContext {
  program: ts.Program;
  source: ts.SourceFile;
  /** Modules that are not in the project. */
  packages: ReadonlySet<string>;
  options: ts.CompilerOptions;
  checksJs: boolean;
  globalTypes: readonly string[];
  /** Files that exist are missing in the program. */
  isTruncated: boolean;
  hasFolder(path: string): boolean;
}

/** Findings about what packages declare: modules, elements, global names and namespaces, and expected errors that are not there. */
const ABOUT_PACKAGES = new Set([
  ...[2306, 2497, 2503, 2578, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2602, 2604, 2605, 2607, 2608],
  ...[2664, 2665, 2666, 2669, 2670, 2671, 2686, 2688, 2694, 2708, 2786, 2792, 2833, 2868, 2867, 2869, 2874],
  ...[2875, 2879, 7016, 7026, 1192, 1259, 2882, 2347, 2550, 2612, 2702, 2709, 2713, 2749],
]);

/** Cannot find module. */
const NO_MODULE = 2307;
/** Cannot find name. */
const NO_NAME = 2304;
/** Property does not exist; did you mean another one? */
const MISSPELLED = 2551;
/** Duplicate or conflicting declarations. */
const DUPLICATES = new Set([2300, 2403, 2451, 2717]);

/** Findings of JavaScript that did not ask for types: names and imports that are not there, and assignments that always throw. */
const CERTAIN_IN_JAVASCRIPT = new Set([NO_MODULE, 2305, 2552, 2588, 2614, 2724]);

/** Members, calls and assignments, which a base, a guard or an extension from a package may allow. */
const ABOUT_MEMBERS = new Set([
  ...[
    2349, 2351, 2362, 2363, 2365, 2367, 2464, 2488, 2504, 2531, 2532, 2533, 2538, 2571, 2698, 18046, 18047,
    18048, 18049,
  ],
  ...[2322, 2339, 2345, 2352, 2353, 2416, 2420, 2445, 2450, 2551, 2559, 2561, 2564, 2739, 2740, 2741, 2769],
  ...[4111, 4112, 4113, 4114, 4116, 4117, 7053],
]);

/** Members of the platform that Node.js has and browsers do not. */
const NODE_MEMBERS = new Set(['ref', 'unref', 'hasRef', 'refresh', 'close']);
/** Types of the language that packages commonly extend. */
const EXTENDED_TYPES = new Set([
  'ErrorConstructor',
  'Error',
  'ImportMeta',
  'ImportMetaEnv',
  'SymbolConstructor',
  'Function',
]);

/** Levels of types that are followed to a base. */
const MAX_DEPTH = 3;

/** Creates the filter of findings that hold without the packages of the project. All others are left out. */
export function createTrustFilter(context: TrustContext): (finding: ts.Diagnostic) => boolean {
  const { program, source, packages, checksJs, globalTypes } = context;
  const checker = program.getTypeChecker();
  const isPlainJs = /\.[cm]?jsx?$/i.test(source.fileName) && !checksJs && !hasCheckComment(source);
  const hasOtherGlobals = globalTypes.some(hasUnknownGlobals) || refersToTypes(source);
  return ({ code, start = 0, length = 0, relatedInformation }) => {
    if (isPlainJs && !CERTAIN_IN_JAVASCRIPT.has(code)) return false;
    if (ABOUT_PACKAGES.has(code)) return false;
    const node = nodeAt(source, start, length);
    // Types in comments of plain JavaScript are read by people.
    if (isPlainJs && (node.flags & ts.NodeFlags.JSDoc) !== 0) return false;
    if (code === NO_MODULE) return isMissingFile(node, context);
    if (code === NO_NAME) return !hasOtherGlobals && !isElementName(node);
    if (DUPLICATES.has(code)) return !isAmbient(node, relatedInformation, checker);
    // Parameters of callbacks have the types that a package gives them.
    if (isImplicitAny(code) && (packages.size > 0 || isCallbackOfAny(node, checker))) return false;
    if (ABOUT_MEMBERS.has(code)) {
      if (packages.size > 0 && (isOfUnknownType(node, checker, code) || isGuarded(node, checker)))
        return false;
      return !dependsOnPackages(node, { checker, program, code });
    }
    return true;
  };
}

function isImplicitAny(code: number): boolean {
  return code >= 7005 && code <= 7057 && !(code >= 7027 && code <= 7030);
}

/** True in a function that is passed to another one of any type, such as a global of a test runner. */
function isCallbackOfAny(node: ts.Node, checker: ts.TypeChecker): boolean {
  const callback = enclosingFunction(node);
  const call = callback.parent;
  if (call === undefined || !ts.isCallExpression(call)) return false;
  return (checker.getTypeAtLocation(call.expression).flags & ts.TypeFlags.Any) !== 0;
}

function hasCheckComment({ text }: ts.SourceFile): boolean {
  return /^\s*\/\/\s*@ts-check\b/m.test(text.slice(0, 4_000));
}

function refersToTypes({ typeReferenceDirectives }: ts.SourceFile): boolean {
  return typeReferenceDirectives.some(({ fileName }) => hasUnknownGlobals(fileName));
}

/** The innermost node that covers a range. */
function nodeAt(source: ts.SourceFile, start: number, length: number): ts.Node {
  let found: ts.Node = source;
  const visit = (node: ts.Node): void => {
    if (node.getStart(source) > start || node.end < start + length) return;
    found = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
}

/** True for an import of a file that would be in the repository: another file of its folder is. */
function isMissingFile(node: ts.Node, { source, isTruncated, hasFolder }: TrustContext): boolean {
  if (isTruncated || !ts.isStringLiteralLike(node) || !/^\.{1,2}(?:\/|$)/.test(node.text)) return false;
  if (
    /\.(?!(?:[cm]?[jt]s|[jt]sx)$)\w+$/i.test(node.text) &&
    !/\.(?:\w+\.)?(?:[cm]?[jt]s|[jt]sx)$/i.test(node.text)
  )
    return false;
  const from = projectPath(source.fileName);
  if (from === null) return false;
  const folder = posix.dirname(posix.join(posix.dirname(from), node.text));
  return hasFolder(folder === '.' ? '' : folder);
}

function isElementName({ parent }: ts.Node): boolean {
  return parent !== undefined && (ts.isJsxOpeningElement(parent) || ts.isJsxClosingElement(parent));
}

function isAmbient(
  node: ts.Node,
  related: ts.DiagnosticRelatedInformation[] | undefined,
  checker: ts.TypeChecker,
): boolean {
  if (related?.some(({ file }) => file?.fileName === AMBIENT_FILE)) return true;
  const declarations = checker.getSymbolAtLocation(node)?.declarations ?? [];
  return declarations.some((one) => one.getSourceFile().fileName === AMBIENT_FILE);
}

/** True where a type of the finding has a base, or members, that only a package knows. */
function dependsOnPackages(
  node: ts.Node,
  { checker, program, code }: { checker: ts.TypeChecker; program: ts.Program; code: number },
): boolean {
  if (ts.isIdentifier(node) && NODE_MEMBERS.has(node.text)) return true;
  const nodes = [node, node.parent, node.parent?.parent].filter((one) => one !== undefined);
  const receivers: ts.Node[] = nodes.flatMap((one) =>
    ts.isPropertyAccessExpression(one) || ts.isElementAccessExpression(one) || ts.isCallExpression(one)
      ? [one.expression]
      : [],
  );
  // A name that is nearly that of a member is misspelled, whatever packages add.
  const isUnknown = createUnknownTest(checker, code === MISSPELLED ? null : program);
  return [...receivers, ...nodes].some((one) => {
    if (ts.isSourceFile(one) || ts.isBlock(one)) return false;
    const contextual = ts.isExpression(one) ? checker.getContextualType(one) : undefined;
    const type = checker.getTypeAtLocation(one);
    return (
      isUnknown(type, receivers.includes(one)) || (contextual !== undefined && isUnknown(contextual, true))
    );
  });
}

/** True where a call of a package would have told the type: what it infers is `unknown` without it. */
function isOfUnknownType(node: ts.Node, checker: ts.TypeChecker, code: number): boolean {
  const { parent } = node;
  if (code === 18046 || parent === undefined) return false;
  const receiver = ts.isPropertyAccessExpression(parent) ? parent.expression : parent;
  return [node, receiver].some((one) => (checker.getTypeAtLocation(one).flags & ts.TypeFlags.Unknown) !== 0);
}

/** True where the function passes the same value to a function of a package, which may be a guard or an assertion about its type. */
function isGuarded(node: ts.Node, checker: ts.TypeChecker): boolean {
  const values = new Set<string>();
  collectValues(expressionOf(node), values);
  if (values.size === 0) return false;
  let isFound = false;
  const visit = (one: ts.Node): void => {
    if (isFound) return;
    if (
      ts.isCallExpression(one) &&
      (checker.getTypeAtLocation(one.expression).flags & ts.TypeFlags.Any) !== 0
    ) {
      isFound = one.arguments.some((argument) => values.has(argument.getText()));
    }
    ts.forEachChild(one, visit);
  };
  visit(enclosingFunction(node));
  return isFound;
}

/** The statement's expression that a finding is part of: what is assigned, passed or read. */
function expressionOf(node: ts.Node): ts.Node {
  let found = node;
  for (let one = node; one.parent && !ts.isStatement(one) && !ts.isFunctionLike(one); one = one.parent)
    found = one;
  return found;
}

/** Texts of names and of accesses to members, such as `a` and `a.b`. */
function collectValues(node: ts.Node, found: Set<string>): void {
  if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) found.add(node.getText());
  if (!ts.isFunctionLike(node)) ts.forEachChild(node, (child) => collectValues(child, found));
}

function enclosingFunction(node: ts.Node): ts.Node {
  let found = node;
  while (found.parent && !(ts.isFunctionLike(found) && 'body' in found)) found = found.parent;
  return found;
}

/**
 * Creates a test of types: does one extend something of a package, or may packages add members to it? Types of the platform count
 * where `program` is given.
 */
function createUnknownTest(checker: ts.TypeChecker, program: ts.Program | null) {
  const seen = new Set<ts.Type>();
  const test = (type: ts.Type, isReceiver: boolean, depth = 0): boolean => {
    if (depth > MAX_DEPTH || seen.has(type)) return false;
    seen.add(type);
    if (program && isReceiver && type.aliasSymbol && isPlatformType(type, program)) return true;
    if (type.isUnionOrIntersection()) return type.types.some((one) => test(one, isReceiver, depth + 1));
    if (program && isReceiver && isPlatformType(type, program)) return true;
    if (hasUnknownBase(type, checker)) return true;
    const args = checker.getTypeArguments?.(type as ts.TypeReference) ?? [];
    const bases = type.isClassOrInterface() ? checker.getBaseTypes(type) : [];
    return [...args, ...bases].some((one) => test(one, isReceiver, depth + 1));
  };
  return test;
}

function hasUnknownBase(type: ts.Type, checker: ts.TypeChecker): boolean {
  const declarations = type.getSymbol()?.declarations ?? [];
  return declarations.some((declaration) => {
    if (!ts.isClassLike(declaration) && !ts.isInterfaceDeclaration(declaration)) return false;
    return declaration.heritageClauses?.some(({ types }) =>
      types.some((base) => (checker.getTypeAtLocation(base).flags & ts.TypeFlags.Any) !== 0),
    );
  });
}

/** True for types of the browser, which stand for those of Node.js here, and for a few of the language that packages extend. */
function isPlatformType(type: ts.Type, program: ts.Program): boolean {
  const symbol = type.aliasSymbol ?? type.getSymbol();
  const files = symbol?.declarations?.map((one) => one.getSourceFile()) ?? [];
  if (symbol?.escapedName === 'globalThis') return true;
  return files.some(
    (file) =>
      program.isSourceFileDefaultLibrary(file) &&
      (/lib\.(?:dom|webworker|scripthost)[\w.]*\.d\.ts$/.test(file.fileName) ||
        EXTENDED_TYPES.has(symbol?.name ?? '')),
  );
}
