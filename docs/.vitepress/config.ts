/** The guide as static files. They need no other host: fonts, scripts and the index of the search are among them. */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { firstScript, withoutInlineScripts } from './inline-scripts.ts'
import { writeTextsForModels } from './llms.ts'
import { adaptPages } from './narrow-windows.ts'
import { pages, sections } from './sections.ts'

const isFile = /\.(json|ya?ml|service)$/

const hasWideTables = /^reference\/(errors|operators)\.md$/

export default defineConfig({
  title: 'Tandem',
  description: 'A SQL database as REST and GraphQL, in two API generations at once.',
  // The server replaces it where it is mounted under a path (src/http/pages/guide.ts).
  base: '/docs/guide/',
  outDir: 'dist',
  cacheDir: '../node_modules/.vitepress',
  cleanUrls: true,
  // Addresses of scripts in a file of its own, and not in each page.
  metaChunk: true,
  // Files beside the pages, which are copied; a test looks for them.
  ignoreDeadLinks: [isFile],
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/guide/icon.svg' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: adaptPages,
  },
  themeConfig: {
    siteTitle: 'Tandem',
    logo: '/icon.svg',
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Generations', link: '/generations' },
      { text: 'Reference', link: '/reference/errors' },
      // Pages of the server itself, outside of this site.
      { text: 'API', link: '../', target: '_self' },
    ],
    sidebar: sections.map(({ title, pages }) => ({
      text: title,
      items: pages.map(({ path, name }) => ({ text: name, link: `/${path}` })),
    })),
    search: { provider: 'local' },
    outline: [2, 3],
    docFooter: { prev: 'Before', next: 'Next' },
  },
  vite: { logLevel: 'warn' },
  transformPageData: ({ relativePath, frontmatter }) => ({
    description: pages.find(({ path }) => relativePath === `${path}.md`)?.about ?? '',
    // Tables of five columns need the room of the outline.
    frontmatter: hasWideTables.test(relativePath) ? { ...frontmatter, aside: false } : frontmatter,
  }),
  transformHtml: (code) => withoutInlineScripts(code),
  buildEnd: ({ outDir, srcDir }) => {
    for (const file of readdirSync(srcDir, { recursive: true, encoding: 'utf8' }))
      if (isFile.test(file) && !/dist|package/.test(file)) cpSync(join(srcDir, file), join(outDir, file))
    mkdirSync(join(outDir, 'assets'), { recursive: true })
    writeFileSync(join(outDir, 'assets/first.js'), firstScript())
    writeTextsForModels(srcDir, outDir)
  },
})
