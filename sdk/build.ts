/**
 * Builds the package into `dist`, which is what is published: modules for `import` and for `require`, with types for both,
 * and a package.json without the parts that only this repository needs.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const here = import.meta.dirname
const dist = join(here, 'dist')
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript7/package.json')), 'bin/tsc')
const entries = ['current', 'legacy', 'check']
const main = 'current'

rmSync(dist, { recursive: true, force: true })
for (const [folder, module] of [
  ['esm', 'esnext'],
  ['cjs', 'commonjs'],
] as const) {
  const options = ['--module', module, '--outDir', join(dist, folder)]
  execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.build.json'), ...options], { stdio: 'inherit' })
}

// The program runs in Node alone, and as a module.
execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.program.json')], { stdio: 'inherit' })

type Package = { readonly [name: string]: unknown }
const { private: _, scripts: __, bin, ...own } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as Package
const programs = Object.entries(bin as { readonly [name: string]: string })
const variant = (folder: string, entry: string) => ({
  types: `./${folder}/${entry}.d.ts`,
  default: `./${folder}/${entry}.js`,
})
const conditions = (entry: string) => ({ import: variant('esm', entry), require: variant('cjs', entry) })
const published = {
  ...own,
  files: ['esm', 'cjs'],
  bin: Object.fromEntries(programs.map(([name, file]) => [name, file.replace(/^dist\//, '')])),
  exports: {
    '.': conditions(main),
    ...Object.fromEntries(entries.map((entry) => [`./${entry}`, conditions(entry)])),
    './package.json': './package.json',
  },
}
mkdirSync(join(dist, 'cjs'), { recursive: true })
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n')
copyFileSync(join(here, 'README.md'), join(dist, 'README.md'))
copyFileSync(join(here, '../LICENSE'), join(dist, 'LICENSE'))
