/**
 * The theme writes two scripts into each page, which set classes before the page is drawn. The policy of the server
 * refuses scripts in pages, so that they become one file.
 */
const inline = /<script id="[^"]*">([\s\S]*?)<\/script>/g

const found = new Set<string>()

/** The page with a reference to the file in place of its scripts. */
export function withoutInlineScripts(html: string): string {
  const scripts = [...html.matchAll(inline)].map(([, script = '']) => script)
  for (const script of scripts) found.add(script)
  const page = html.replaceAll(inline, '')
  if (/<script(?![^>]*\bsrc=)[^>]*>/.test(page)) throw new Error('Expected no script within a page of the guide')
  return page.replace('</title>', '</title>\n    <script src="/docs/guide/assets/first.js"></script>')
}

/** The file: all scripts of the pages that were written. */
export const firstScript = (): string => [...found].map((script) => `${script};`).join('\n')
