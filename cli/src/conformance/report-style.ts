/** The style sheet of the page of a conformance run. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h2 { margin: 1.8rem 0 .4rem; font-size: 1.1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid #8886; }
td:last-child, th:last-child { text-align: right; font-variant-numeric: tabular-nums; }
.verdict { font-size: 1.25rem; font-weight: 600; }
.passed { color: #18794e; }
.failed { color: #c8303b; }
.not { color: #946800; }
.detail { margin: .2rem 0; overflow-wrap: anywhere; }
figure { display: inline-block; margin: .4rem 1rem .4rem 0; }
figcaption { font-size: .8rem; }
img { image-rendering: pixelated; border: 3px solid #888; }
@media (prefers-color-scheme: dark) {
  .passed { color: #4cc38a; }
  .failed { color: #ff6369; }
  .not { color: #f1a10d; }
}
`;
