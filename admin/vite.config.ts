import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

/** `npm run dev` beside a server: TANDEM_URL says where it is. */
const server = process.env['TANDEM_URL'] ?? 'http://localhost:8055'
const forwarded = ['access', 'activity', 'assets', 'auth', 'collections', 'comments', 'fields', 'files', 'folders']
const more = ['items', 'permissions', 'policies', 'presets', 'relations', 'revisions', 'roles', 'schema', 'server']
const rest = ['settings', 'shares', 'translations', 'users', 'utils', 'versions', 'docs', 'graphql', '_']

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Parts of libraries that this application does not need. */
const alias = [
  { find: /^jsonexport\/dist\/index\.js$/, replacement: at('src/small/no-export.cjs') },
  { find: /^inflection$/, replacement: at('src/small/inflection.ts') },
  { find: /^react-hotkeys-hook$/, replacement: at('src/small/no-hotkeys.ts') },
  { find: /^object\.entries$/, replacement: at('src/small/entries.cjs') },
]

/** Parts of the component library that are loaded later, or not needed, by the module that asks for them. */
const replaced: readonly (readonly [importer: RegExp, source: string, by: string])[] = [
  [/@mui\/material\/(?:esm\/)?Tooltip\/Tooltip\.js$/, '../Popper/index.js', at('src/small/popper.tsx')],
  // The themes have inputs with an outline only.
  [/@mui\/material\/(?:esm\/)?(?:TextField|Select)\/\w+\.js$/, '../FilledInput/index.js', '../OutlinedInput/index.js'],
]

const smallParts: Plugin = {
  name: 'small-parts',
  enforce: 'pre',
  resolveId(source, importer = '') {
    const by = replaced.find(([of, what]) => what === source && of.test(importer))?.[2]
    return by === undefined ? null : this.resolve(by, importer, { skipSelf: true })
  },
}

export default defineConfig({
  plugins: [smallParts],
  // Relative, so that the application also works behind a path prefix.
  base: './',
  resolve: {
    alias,
    conditions: ['tandem-src', 'module', 'browser', 'production', 'import'],
  },
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    rollupOptions: {
      // Libraries mark modules for servers that render React.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
  server: {
    proxy: Object.fromEntries([...forwarded, ...more, ...rest].map((segment) => [`/${segment}`, server])),
  },
})
