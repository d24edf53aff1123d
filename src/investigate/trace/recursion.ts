/** A function that calls itself without end. */
export const RECURSION =
  /RecursionError|maximum recursion|Maximum call stack|too much recursion|stack level too deep|stack overflow|stack exceeds|StackOverflow(?:Error|Exception)|Maximum function nesting level/i;
