// Several things of one commit break every test of a file: the cycle goes on from what gets further to what passes.
import { mendsAnEverydayCommit } from '../../support/everydayCases.ts';

mendsAnEverydayCommit('node:test');
