import { inject } from 'vitest';
import { attachSpawner } from './spawner.ts';

// Before the tests of every file.
attachSpawner(inject('gitSpawner'));
