/**
 * Builds the package into `dist`, which is what is published: one module for Node and browsers with all that it needs
 * except MSW, its types, the licenses of what it contains, and a package.json without the parts that only this
 * repository needs. Modules of Node are replaced by `stand-ins`; what has no stand-in throws when it is used.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'vite'
import { readSdl, sdlNames } from '../src/graphql/schema/sdl.ts'
import { slimSdl, slimSpec } from './slim.ts'

const here = import.meta.dirname
const dist = join(here, 'dist')
const root = join(here, '..')

type Package = { readonly [name: string]: unknown }

/** Its first group is the path without its ending. */
const relativeImport = /from '(\.[^']+)\.ts'/g
const standInFolder = join(here, 'stand-ins')
const marker = '\0stand-in:'

/** Packages, and modules of the server, whose work the mock does not do. */
const replaced: ReadonlySet<string> = new Set([
  'pg',
  'knex',
  'busboy',
  'file-type',
  'jsonwebtoken',
  're2js',
  './bcrypt.ts',
  '../../images/images.ts',
  '../../metadata/side-process.ts',
  '../../request/read-through.ts',
])

const fileOf = (name: string): string =>
  name.startsWith('.') ? basename(name) : `${name.replace(/^node:/, '').replaceAll('/', '-')}.ts`

/** All names of the module: those of the stand-in, and for the others functions that throw. */
const standIns: Plugin = {
  name: 'stand-ins',
  enforce: 'pre',
  resolveId: (id) => (isBuiltin(id) || replaced.has(id) ? `${marker}${id}` : null),
  async load(id) {
    if (!id.startsWith(marker)) return null
    const name = id.slice(marker.length)
    const file = join(standInFolder, fileOf(name))
    const own = existsSync(file) ? Object.keys((await import(file)) as object) : []
    const all = name.startsWith('.') ? own : Object.keys((await import(name)) as object)
    const missing = all.filter((each) => each !== 'default' && each !== 'module.exports' && !own.includes(each))
    return [
      `import { absent } from ${JSON.stringify(join(standInFolder, 'absent.ts'))}`,
      ...(own.length === 0 ? [] : [`export * from ${JSON.stringify(file)}`]),
      ...missing.map((each) => `export const ${each} = absent('${name}', '${each}')`),
      own.includes('module')
        ? `export { module as default } from ${JSON.stringify(file)}`
        : `export default absent('${name}', 'default')`,
    ].join('\n')
  },
}

/** The specs without what only readers need. */
const slim: Plugin = {
  name: 'slim',
  enforce: 'pre',
  load(id) {
    if (id.endsWith('-spec.json')) return JSON.stringify(slimSpec(JSON.parse(readFileSync(id, 'utf8')) as Package))
    if (!id.endsWith('/src/graphql/schema/sdl.ts')) return null
    const texts = sdlNames.map((name) => [name, slimSdl(readSdl(name))] as const)
    return `const texts = ${JSON.stringify(Object.fromEntries(texts))}\nexport const readSdl = (name) => texts[name]`
  },
}

/** Modules that are built on their own. */
const besides: Plugin = {
  name: 'besides',
  enforce: 'pre',
  resolveId(id, importer) {
    const name = /^\.\/(mock|folder)\.ts$/.exec(id)?.[1]
    return importer === undefined || name === undefined ? null : { id: `./${name}.js`, external: true }
  },
}

await build({
  configFile: false,
  root,
  logLevel: 'warn',
  resolve: { conditions: ['tandem-src'], alias: { otpauth: 'otpauth/slim' } },
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [slim, standIns],
  build: {
    outDir: dist,
    emptyOutDir: true,
    target: 'es2023',
    license: { fileName: 'THIRD-PARTY.md' },
    lib: { entry: join(here, 'src/mock.ts'), formats: ['es'], fileName: 'mock' },
    rollupOptions: {
      external: ['msw'],
      transform: {
        inject: {
          Buffer: [join(standInFolder, 'buffer.ts'), 'Buffer'],
          setInterval: [join(standInFolder, 'timers.ts'), 'setInterval'],
        },
      },
      output: { codeSplitting: false, minify: true },
    },
  },
})

// What only Node has: the program, and the reading of folders.
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  // `ws` looks for these packages, and works without them.
  define: { 'process.env.WS_NO_BUFFER_UTIL': '"true"', 'process.env.WS_NO_UTF_8_VALIDATE': '"true"' },
  plugins: [besides],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    license: { fileName: 'program-licenses.md' },
    outDir: dist,
    emptyOutDir: false,
    target: 'es2023',
    lib: {
      entry: { folder: join(here, 'src/folder.ts'), main: join(here, 'src/main.ts') },
      formats: ['es'],
    },
    rollupOptions: { external: [/^node:/], output: { minify: false } },
  },
})

const programLicenses = join(dist, 'program-licenses.md')
appendFileSync(join(dist, 'THIRD-PARTY.md'), readFileSync(programLicenses))
rmSync(programLicenses)

writeTypes()

const {
  private: _,
  scripts: __,
  dependencies: ___,
  ...own
} = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as Package
const published = {
  ...own,
  files: ['*.js', '*.d.ts', 'THIRD-PARTY.md'],
  bin: { 'tandem-mock': 'main.js' },
  exports: {
    '.': { types: './mock.d.ts', default: './mock.js' },
    './folder': { types: './folder.d.ts', default: './folder.js' },
    './package.json': './package.json',
  },
}
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
copyFileSync(join(here, 'README.md'), join(dist, 'README.md'))
copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))

/** The declarations of the entry, and those that they name. */
function writeTypes(): void {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript7/package.json')), 'bin/tsc')
  const folder = mkdtempSync(join(tmpdir(), 'tandem-mock-types-'))
  try {
    execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.build.json'), '--outDir', folder], {
      stdio: 'inherit',
    })
    const from = join(folder, 'mock/src')
    const entries = ['mock.d.ts', 'folder.d.ts'].map((name) => join(from, name))
    for (const file of new Set(entries.flatMap((entry) => [...reached(entry)]))) {
      const name = relative(from, file)
      if (name.includes('/')) throw new Error(`The public types name those of ${name}`)
      writeFileSync(join(dist, name), readFileSync(file, 'utf8').replaceAll(relativeImport, "from '$1.js'"))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function reached(file: string, visited: Set<string> = new Set()): ReadonlySet<string> {
  if (visited.has(file)) return visited
  visited.add(file)
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(relativeImport))
    reached(join(dirname(file), `${name}.d.ts`), visited)
  return visited
}
