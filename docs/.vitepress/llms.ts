/** The pages for language models: an index, and all of them as one text. See https://llmstxt.org. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pages, sections } from './sections.ts'

const intro = `# Tandem

> A gateway that mirrors a SQL database into REST and GraphQL, in two API generations at once: the legacy version-8 API and the current one, over one set of rows, users, files and permissions.
`

/** Writes `llms.txt`, `llms-full.txt` and the Markdown of each page beside its HTML. */
export function writeTextsForModels(from: string, to: string): void {
  const lists = sections.map((section) => {
    const lines = section.pages.map(({ path, name, about }) => `- [${name}](/docs/guide/${path}.md): ${about}`)
    return `## ${section.title}\n\n${lines.join('\n')}\n`
  })
  writeFileSync(join(to, 'llms.txt'), [intro, ...lists].join('\n'))
  const texts = pages.map(({ path }) => {
    const text = readFileSync(join(from, `${path}.md`), 'utf8').replaceAll(/^<!--.*-->\n/gm, '')
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, `${path}.md`), text)
    return text.trim()
  })
  writeFileSync(join(to, 'llms-full.txt'), `${[intro.trim(), ...texts].join('\n\n---\n\n')}\n`)
}
