#!/usr/bin/env node
import { runProgram } from './program.ts';

/** Entry point of the command line in its own package, which has neither server nor database. */
await runProgram();
