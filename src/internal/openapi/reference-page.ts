/** The page. It contains no inline script or style, so that no policy must be weakened. */
export const pageOf = (title: string, base: string, url: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escapeHtml(base)}/reference.css">
<script type="module" src="${escapeHtml(base)}/reference.js"></script>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
<main data-url="${escapeHtml(url)}"></main>
</body>
</html>
`

/** Every pair of colours has a contrast of at least 4.5 (WCAG 1.4.3). */
export const STYLE = `:root { color-scheme: light dark; --line: #c8ced6; --soft: #f3f5f7; --dim: #515a66; --blue: #0b57d0; --red: #b3261e }
@media (prefers-color-scheme: dark) { :root { --line: #3c444f; --soft: #1f242b; --dim: #a9b3c0; --blue: #8ab4f8; --red: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText }
main { max-width: 60rem; margin: auto; padding: 1rem }
h1, h2, h3, h4, p { margin: .75rem 0; overflow-wrap: anywhere }
h2 { margin-top: 2rem }
p { white-space: pre-line }
a { color: var(--blue) }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .5rem }
details > :not(summary) { margin: .75rem }
summary { padding: .6rem .75rem; cursor: pointer; overflow-wrap: anywhere }
summary b { display: inline-block; min-width: 4.5rem; color: var(--blue); font: 600 .85rem ui-monospace, monospace }
summary code { margin-right: .75rem }
[data-method=delete] b { color: var(--red) }
[data-deprecated] summary code { text-decoration: line-through }
small { color: var(--dim); font-size: .85rem }
code, pre, textarea { font: .875rem/1.5 ui-monospace, monospace }
pre { overflow: auto; max-height: 30rem; padding: .75rem; border-radius: .25rem; background: var(--soft) }
label { display: block; margin: .5rem 0 }
label > span { display: block }
input:not([type=checkbox]), textarea, select { width: 100%; padding: .4rem; font-size: 1rem; border: 1px solid var(--dim); border-radius: .25rem }
textarea { min-height: 10rem }
button { padding: .5rem 1.25rem; font: inherit; color: Canvas; background: var(--blue); border: 0; border-radius: .25rem; cursor: pointer }
[role=alert] { color: var(--red) }
`

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
