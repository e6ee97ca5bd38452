/** The style of what `/docs` adds to its viewer, and of narrow windows. */
export const docsStyle = `
body { margin: 0; }
.with-contents { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 1.5rem; }
.contents { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1rem 0; }
.contents ul { list-style: none; margin: 0; padding: 0; }
.contents a { display: block; padding: .25rem 0; font: 14px/1.4 sans-serif; color: #3b4151; text-decoration: none; }
.contents a:hover, .contents a:focus-visible { text-decoration: underline; }
.code-samples { position: relative; padding: 1rem 20px; }
.code-samples-head { display: flex; align-items: baseline; gap: .5rem; }
.swagger-ui .code-samples h4 { margin: 0 .5rem 0 0; font: 700 14px sans-serif; color: #3b4151; }
.code-samples button { border: 1px solid #8c8f94; border-radius: 4px; background: transparent; color: #3b4151; padding: .2rem .6rem; font: 13px sans-serif; cursor: pointer; }
.code-samples [aria-selected=true] { background: #3b4151; color: #fff; }
.code-samples-copy { position: absolute; right: 20px; top: 1rem; }
.swagger-ui .code-samples pre { margin: .5rem 0 0; padding: 1rem; overflow-x: auto; background: #f3f4f6; color: #1b1b1b; border-radius: 4px; font: 13px/1.5 monospace; white-space: pre; }
html.dark-mode .contents a, html.dark-mode .swagger-ui .code-samples h4, html.dark-mode .code-samples button { color: #e4e6e6; }
html.dark-mode .swagger-ui .code-samples pre { background: #16181c; color: #e4e6e6; }
html.dark-mode .code-samples [aria-selected=true] { background: #e4e6e6; color: #16181c; }
@media (max-width: 900px) {
  .with-contents { display: block; }
  .contents { position: static; max-height: none; padding: 0; }
  .contents ul { display: flex; flex-wrap: wrap; gap: 0 .8rem; }
  .swagger-ui .wrapper { padding: 0 8px; }
  .swagger-ui .opblock-summary-control { flex-wrap: wrap; min-width: 0; }
  .swagger-ui .opblock .opblock-summary-path { flex-shrink: 1; max-width: 100%; word-break: break-word; }
  .swagger-ui .opblock .opblock-summary-operation-id { display: none; }
  .swagger-ui table { display: block; overflow-x: auto; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .info .title { word-break: break-word; }
  .swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { word-break: break-word; white-space: normal; }
}
`
