import { stripVTControlCharacters } from 'node:util';
import { html, type Markup } from './markup.js';

/** A test of a JUnit file. */
export interface JunitCase {
  /** The group or the file of the test. */
  className: string;
  name: string;
  milliseconds: number;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Why the test failed or was skipped; the first line is the summary. */
  message?: string | undefined;
  /** Paths of related files; Jenkins and GitLab link them. */
  attachments?: readonly string[];
}

/** A named group of tests. */
export interface JunitSuite {
  name: string;
  cases: readonly JunitCase[];
}

/**
 * Renders JUnit XML. Control characters and ANSI colours in messages are removed. No library is used:
 * junit-report-builder would lose the reason of a skipped test, and is larger than this package.
 */
export function renderJunit(name: string, suites: readonly JunitSuite[]): string {
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${name}" ${countsOf(suites.flatMap(({ cases }) => cases))}>
${suites.map(renderSuite)}</testsuites>
`.text;
}

function renderSuite({ name, cases }: JunitSuite): Markup {
  const milliseconds = cases.reduce((sum, each) => sum + each.milliseconds, 0);
  return html`<testsuite name="${name}" ${countsOf(cases)} time="${seconds(milliseconds)}">
${cases.map(renderCase)}</testsuite>
`;
}

function countsOf(cases: readonly JunitCase[]): Markup {
  const count = (wanted: JunitCase['outcome']) => cases.filter(({ outcome }) => outcome === wanted).length;
  return html`tests="${cases.length}" failures="${count('failed')}" skipped="${count('skipped')}"`;
}

function renderCase({
  className,
  name,
  milliseconds,
  outcome,
  message,
  attachments = [],
}: JunitCase): Markup {
  const files = attachments.map(path => html`[[ATTACHMENT|${path}]]\n`);
  const problem = outcome === 'passed' ? '' : renderProblem(outcome, stripVTControlCharacters(message ?? ''));
  const output = files.length === 0 ? '' : html`<system-out>${files}</system-out>`;
  return html`<testcase classname="${className}" name="${name}" time="${seconds(milliseconds)}">${problem}${output}</testcase>
`;
}

function renderProblem(outcome: 'failed' | 'skipped', message: string): Markup {
  const summary = message.split('\n')[0]!;
  if (outcome === 'skipped') return html`<skipped message="${summary}"/>`;
  if (summary === message) return html`<failure message="${message}"/>`;
  return html`<failure message="${summary}">${message}</failure>`;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);
