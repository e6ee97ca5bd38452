/** The SDK samples of the specs compile, and call the SDK the way that its README teaches. */
import { expect, test } from 'vitest'
import currentSpec from '../src/generated/current-spec.json' with { type: 'json' }
import legacySpec from '../src/generated/legacy-spec.json' with { type: 'json' }
import { compileTypes } from './compile-types.ts'

type Sample = { readonly label: string; readonly source: string }
type Operation = { readonly operationId: string; readonly 'x-codeSamples': readonly Sample[] }

const samplesOf = (generation: string, spec: { readonly paths: object }) =>
  Object.values(spec.paths as { readonly [path: string]: { readonly [method: string]: Operation } }).flatMap((item) =>
    Object.values(item).flatMap(({ operationId: id, 'x-codeSamples': told }) =>
      told.filter(({ label }) => label === 'SDK').map(({ source }) => ({ generation, id, source })),
    ),
  )

const samples = [...samplesOf('current', currentSpec), ...samplesOf('legacy', legacySpec)]

/** What the reader of a sample has: a token, a file, and the types that `tandem types` writes. */
const surroundings = {
  'surroundings.d.ts': 'declare const token: string\ndeclare const file: File\n',
  'schema.ts': `
export interface Schema { articles: Article[] }
interface Article { id: number; title: string; status: string; author: number | Author | null; comments: number[] | Comment[]; tags: number[] | ArticleTag[] }
interface Author { id: number; name: string }
interface Comment { id: number; text: string }
interface ArticleTag { id: number; tags_id: number | Tag | null }
interface Tag { id: number; name: string }
`,
}

test('every sample compiles', () => {
  const files = samples.map(({ generation, id, source }) => [`${generation}-${id}.ts`, source] as const)
  expect(compileTypes({ ...surroundings, ...Object.fromEntries(files) }).failures).toEqual([])
})

/** Operations that no method stands for: revisions and changes of items, the steps of a resumable upload, batches, and SCIM. */
const byOperation = [
  'readItemChanges',
  'readItemRevision',
  'readItemRevisions',
  'revertItem',
  'readUploadOptions',
  'readUpload',
  'updateUpload',
  'deleteUpload',
  'runGraphql',
  'runMcp',
  'runBatch',
  'runBatch',
]

test('samples use resources wherever the SDK has them', () => {
  const rest = samples.filter(({ source }) => source.includes('operations.')).map(({ id }) => id)
  expect(rest.filter((id) => !id.includes('Scim')).toSorted()).toEqual(byOperation.toSorted())
})
