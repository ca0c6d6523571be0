#!/usr/bin/env node
import { existsSync } from 'node:fs';

// The published package has only the bundle; a checkout runs its compiled sources, which are never older.
const compiled = new URL('../dist/main.js', import.meta.url);
await import(existsSync(compiled) ? compiled.href : '../dist/bundle/main.js');
