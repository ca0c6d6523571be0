/** The page's style sheet: light or dark as the system prefers, with page breaks between cases in print. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f4f5f7; --card: #ffffff; --ink: #1b2330; --quiet: #5d6878; --line: #d9dee6;
  --accent: #0b63c5; --bezel: #0b0e14; --good: #146c43; --good-back: #dff3e7; --bad: #a3261b;
  --bad-back: #fbe4e1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12151b; --card: #1b2029; --ink: #e5eaf2; --quiet: #9aa6b8; --line: #2e3643;
    --accent: #7ab8ff; --bezel: #0b0e14; --good: #7fdcaa; --good-back: #14382a; --bad: #ff9c92;
    --bad-back: #43201d;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2.5rem 1.5rem 5rem; max-width: 92rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; letter-spacing: -0.01em; }
h2 { margin: 0; font-size: 1.1rem; overflow-wrap: anywhere; }
h2 a { color: inherit; }
h3 {
  margin: 1.1rem 0 .35rem; font-size: .74rem; letter-spacing: .07em; text-transform: uppercase;
  color: var(--quiet);
}
h3:first-child { margin-top: 0; }
.lead { max-width: 48rem; margin: .6rem 0 1.4rem; color: var(--quiet); }
.counts { display: flex; flex-wrap: wrap; gap: .6rem; margin: 0 0 1.6rem; padding: 0; list-style: none; }
.counts li {
  padding: .45rem .9rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card);
  color: var(--quiet);
}
.counts b { color: var(--ink); font-size: 1.15rem; font-variant-numeric: tabular-nums; }
nav {
  margin-bottom: 2.2rem; padding: 1rem 1.3rem; border: 1px solid var(--line); border-radius: .8rem;
  background: var(--card);
}
nav ol { columns: 20rem; column-gap: 2rem; margin: 0; padding-left: 2.2rem; font-size: .88rem; }
nav li { break-inside: avoid; padding: .08rem 0; color: var(--quiet); overflow-wrap: anywhere; }
.file { margin: 2.4rem 0 1rem; font-size: 1.25rem; }
article {
  margin: 0 0 1.4rem; border: 1px solid var(--line); border-radius: .8rem; background: var(--card);
  overflow: clip; scroll-margin-top: 1rem;
}
article:target { outline: 2px solid var(--accent); }
article > header {
  display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .9rem; padding: .8rem 1.3rem;
  border-bottom: 1px solid var(--line);
}
.number { color: var(--quiet); font-variant-numeric: tabular-nums; }
.verdict {
  margin-left: auto; padding: .12rem .65rem; border-radius: 1rem; font-size: .8rem; font-weight: 600;
  white-space: nowrap;
}
.signed { background: var(--good-back); color: var(--good); }
.refused { background: var(--bad-back); color: var(--bad); }
.case { display: grid; grid-template-columns: minmax(18rem, 25rem) 1fr; }
.fields { padding: 1.1rem 1.3rem; border-right: 1px solid var(--line); min-width: 0; }
dl {
  display: grid; grid-template-columns: minmax(6.5rem, max-content) 1fr; gap: .1rem .9rem; margin: 0;
  font-size: .83rem;
}
dt { color: var(--quiet); }
dd {
  margin: 0; min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap;
  font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: .95em;
}
.fault { margin: .4rem 0 0; font-size: .85rem; color: var(--bad); }
.screens {
  display: grid; grid-template-columns: repeat(auto-fill, 256px); align-content: start; gap: 1rem 1.1rem;
  margin: 0; padding: 1.2rem 1.3rem 1.3rem; list-style: none; counter-reset: page;
}
.screens li { counter-increment: page; }
.screens li::before {
  content: counter(page); display: block; margin-bottom: .15rem; font-size: .72rem; color: var(--quiet);
  font-variant-numeric: tabular-nums;
}
.screens img {
  display: block; width: 256px; height: 128px; border-radius: 5px; background: var(--bezel);
  outline: 5px solid var(--bezel); outline-offset: -1px; image-rendering: pixelated;
}
.refusal {
  align-self: center; margin: 0; padding: 1.4rem 1.6rem; font-size: 1.02rem; overflow-wrap: anywhere;
}
.refusal small { display: block; margin-top: .3rem; color: var(--quiet); }
@media (max-width: 50rem) {
  body { padding: 1.2rem .8rem 3rem; }
  .case { grid-template-columns: 1fr; }
  .fields { border-right: 0; border-bottom: 1px solid var(--line); }
  .screens { justify-content: center; }
}
@media print {
  :root {
    --paper: #fff; --card: #fff; --ink: #000; --quiet: #444; --line: #bbb; --accent: #000; --good: #000;
    --good-back: #eee; --bad: #000; --bad-back: #eee;
  }
  body { padding: 0; max-width: none; font-size: 10px; }
  article { border-radius: 0; }
  .case { grid-template-columns: 17rem 1fr; }
  .screens { grid-template-columns: repeat(auto-fill, 144px); gap: .6rem .7rem; }
  .screens img { width: 128px; height: 64px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  article > header, .screens li { break-inside: avoid; }
  article > header { break-after: avoid; }
}
`;
