// A process of ours: asks the compiler about one test file, says what it finds on its fourth pipe, and ends. `typeChild ROOT FILE`
import { Socket } from 'node:net';
import { keepInspectorClosed } from '../../base/closedInspector.ts';
import { chooseCompiler } from './chooseCompiler.ts';

keepInspectorClosed();
const [root = '', file = ''] = process.argv.slice(2);
const pipe = new Socket({ fd: 3, readable: false, writable: true });
const whose = chooseCompiler(root, file);
// Not before: what imports the compiler gets the one that is chosen.
const { answerTypes } = await import('./answerTypes.ts');
const { default: ts } = await import('typescript');
const compiler = `TypeScript ${ts.version} of ${whose}`;
pipe.end(`${JSON.stringify({ compiler, answer: await answerTypes(root, file) })}\n`);
