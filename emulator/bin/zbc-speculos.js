#!/usr/bin/env node
import '../dist/speculos/main.js';
