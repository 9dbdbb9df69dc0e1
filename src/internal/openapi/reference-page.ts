/** The page. It contains no inline script or style, so that no policy must be weakened. */
export const pageOf = (title: string, base: string, assets: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escapeHtml(assets)}/swagger-ui.css">
<link rel="stylesheet" href="${escapeHtml(base)}/reference.css">
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
<div id="reference"></div>
<script src="${escapeHtml(assets)}/swagger-ui-bundle.js"></script>
<script src="${escapeHtml(base)}/reference.js"></script>
</body>
</html>
`

/** What swagger-ui leaves to the page around it, and colours where its own have a contrast below 4.5 (WCAG 1.4.3). */
export const STYLE = `html, body { margin: 0; background: #fff }
html.dark-mode, html.dark-mode body { background: #1c2022 }
.swagger-ui .wrapper { box-sizing: border-box }
.swagger-ui .opblock .opblock-summary-method { color: #000; text-shadow: none }
.swagger-ui .opblock.opblock-deprecated { opacity: 1 }
.swagger-ui .microlight span[style*="211"] { color: #ff8a80 !important }
html:not(.dark-mode) .swagger-ui {
  .info .title small pre { color: #000 }
  .info .url { color: #0b57d0 }
  .btn.authorize span { color: #1a7f37 }
  .json-schema-2020-12-expand-deep-button, .parameter__in { color: #5b636c }
  .btn.cancel, .parameter__name.required span, .parameter__name.required::after { color: #c62828 }
  .btn.execute { background: #0b57d0 }
  .download-contents { background: #5b636c }
}
html.dark-mode .swagger-ui .opblock.opblock-deprecated .opblock-summary-method { color: #fff }
@media (max-width: 40rem) {
  .swagger-ui .wrapper { padding: 0 .75rem }
  .swagger-ui .opblock .opblock-summary-path-description-wrapper { flex-direction: column; align-items: flex-start; gap: 0 }
  .swagger-ui .opblock .opblock-summary-description { padding: 0 10px; text-align: left }
  .swagger-ui .opblock .opblock-summary-path { max-width: none; font-size: .875rem }
  .swagger-ui table.parameters, .swagger-ui table.parameters tbody, .swagger-ui table.parameters tr,
  .swagger-ui table.parameters td { display: block; width: auto }
  .swagger-ui table.parameters thead { display: none }
}
`

/** Starts the page, in the colour scheme of the reader's system. Nothing is loaded from other hosts. */
export const scriptOf = (url: string): string => `const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()
SwaggerUIBundle({
  url: ${JSON.stringify(url)},
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
})
paint()
`

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
