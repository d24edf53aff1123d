import { inject } from 'vitest';
import { joinSpawner } from './spawner.ts';

// Before the tests of every file.
joinSpawner(inject('gitSpawner'));
