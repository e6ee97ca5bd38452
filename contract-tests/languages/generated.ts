/** Clients in other languages, made by OpenAPI Generator of the documents in version 3.0, and their compilers. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** Python with the packages of Debian. */
export const python: string = process.env['TEST_PYTHON'] ?? '/usr/bin/python3'

type Language = {
  readonly options?: readonly string[]
  /** Compiles or loads every file of a client in a folder. */
  readonly compile: (folder: string) => readonly [program: string, ...options: string[]]
}

const own = (name: string): string => join(import.meta.dirname, name)

/** The languages by the name that the generator has for them. */
export const languages = {
  bash: { compile: (folder) => ['bash', '-n', join(folder, 'client.sh')] },
  go: {
    options: ['--additional-properties=enumClassPrefix=true'],
    compile: (folder) => ['go', 'build', folder],
  },
  php: { compile: (folder) => ['php', own('load.php'), folder] },
  python: {
    compile: (folder) => [
      'sh',
      '-c',
      `cd ${folder} && ${python} -m compileall -q openapi_client && ${python} -c "import openapi_client"`,
    ],
  },
  ruby: {
    compile: (folder) => [
      'ruby',
      '-W0',
      `-I${folder}/lib`,
      '-e',
      'require "openapi_client"; OpenapiClient.constants.each { |name| OpenapiClient.const_get(name) }',
    ],
  },
} as const satisfies { readonly [name: string]: Language }

export type LanguageName = keyof typeof languages

/** A folder for clients, laid out as Go looks for packages. */
export function openWorld(): { readonly path: string; readonly close: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'tandem-languages-'))
  mkdirSync(join(path, 'src/tandem'), { recursive: true })
  cpSync(own('optional'), join(path, 'src/github.com/antihax/optional'), { recursive: true })
  return { path, close: () => rmSync(path, { recursive: true }) }
}

/** Packages are those of Debian and of the world, without the network. */
export const goIn = (world: string): NodeJS.ProcessEnv => ({
  ...process.env,
  GO111MODULE: 'off',
  GOFLAGS: '',
  GOPATH: `${world}:/usr/share/gocode`,
})

const generator = join(
  dirname(createRequire(import.meta.url).resolve('@openapitools/openapi-generator-cli/package.json')),
  'bin/openapi-generator.jar',
)

/** A short run is over before better code pays. */
const quickStart = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
const withoutRest = ['--global-property', 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false']

/** Writes the client of a document; returns its folder. */
export async function generateClient(world: string, name: string, language: LanguageName, document: string) {
  const { options = [] }: Language = languages[language]
  const spec = join(world, `${name}.json`)
  writeFileSync(spec, document)
  const folder = language === 'go' ? join(world, 'src/tandem', name) : join(world, language, name)
  await promisify(execFile)(
    'java',
    [
      ...quickStart,
      '-jar',
      generator,
      'generate',
      '-i',
      spec,
      '-g',
      language,
      '-o',
      folder,
      ...withoutRest,
      ...options,
    ],
    { maxBuffer: 50_000_000 },
  )
  return folder
}

/** What a compiler says about a client; empty where it compiles. */
export async function compileClient(world: string, language: LanguageName, folder: string): Promise<string> {
  const [program, ...options] = languages[language].compile(folder)
  return new Promise((resolve) => {
    execFile(program, options, { env: goIn(world), cwd: folder }, (error, out, errors) =>
      resolve(error === null ? '' : `${error.message}\n${out}${errors}`),
    )
  })
}
