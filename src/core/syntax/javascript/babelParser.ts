// Babel's parser, to be loaded when it is needed: a bundle gives what imports a CommonJS package at once its exports, and what loads it later none.
export { parse } from '@babel/parser';
