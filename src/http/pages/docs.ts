/** `/docs`: the API reference, served without external resources, and the files of the other pages for people. */
import { readFile } from 'node:fs/promises'
import type { DocumentedSpec } from '../app/generation.ts'
import type { Page } from '../app/served-generation.ts'
import { jsonText, type Reply, redirect, text, withHeaders } from '../reply/reply.ts'
import { toOlderSpec } from '../validation/older-spec.ts'
import { publishedSpec } from '../validation/published-spec.ts'
import { codeSamples, contents, filterOperations, openFound, resourcesOnly } from './docs-plugins.ts'
import { docsStyle } from './docs-style.ts'
import { frontScript, frontStyle, icon } from './front-page.ts'
import { loginBox, loginStyle } from './login-box.ts'

const script = 'text/javascript; charset=utf-8'

const assets: { readonly [file: string]: string } = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': script,
  'swagger-ui-standalone-preset.js': script,
}

const style = 'text/css; charset=utf-8'

const ownFiles: { readonly [file: string]: { readonly text: string; readonly type: string } } = {
  'docs.css': { text: docsStyle, type: style },
  'login.js': { text: `(${String(loginBox)})()\n`, type: script },
  'login.css': { text: loginStyle, type: style },
  'front.js': { text: `(${String(frontScript)})()\n`, type: script },
  'front.css': { text: frontStyle, type: style },
  'icon.svg': { text: icon, type: 'image/svg+xml' },
}

/** The page, its files and the specs behind it; `guide` answers below `/docs/guide`. */
export const createDocs = (documents: readonly DocumentedSpec[], guide: Page = async () => null): Page => {
  const specs = new Map(documents.map(({ name, spec }) => [`${name}.json`, publishedSpec(spec)]))
  const start = startScript([
    ...documents.map(({ name, spec }) => ({ url: `${name}.json`, name: spec.info.title })),
    { url: '../server/specs/oas', name: 'Your collections' },
  ])
  return async (path, request) => {
    const [, , file, ...more] = path.split('/')
    if (file === 'guide') return guide(path, request)
    // The page refers to its files by relative paths, so that it also works behind a path prefix.
    if (file === undefined) return redirect('docs/')
    if (more.length > 0) return null
    if (file === '') return text(page)
    if (file === 'start.js') return text(start, script)
    const own = Object.hasOwn(ownFiles, file) ? ownFiles[file] : undefined
    if (own !== undefined) return text(own.text, own.type)
    const spec = specs.get(file)
    if (spec === undefined) return readAsset(file)
    return jsonText(JSON.stringify(request.query['openapi'] === '3.0' ? toOlderSpec(spec) : spec))
  }
}

const readAsset = async (file: string): Promise<Reply | null> => {
  const type = Object.hasOwn(assets, file) ? assets[file] : undefined
  if (type === undefined) return null
  const bytes = await readFile(new URL(import.meta.resolve(`swagger-ui-dist/${file}`)))
  return withHeaders({ status: 200, body: { kind: 'bytes', bytes, type } }, { 'cache-control': 'public, max-age=3600' })
}

const page = `<!doctype html>
<html lang="en" class="with-switch">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tandem API reference</title>
<link rel="icon" type="image/svg+xml" href="icon.svg">
<link rel="stylesheet" href="swagger-ui.css">
<link rel="stylesheet" href="docs.css">
<link rel="stylesheet" href="login.css">
<script defer src="swagger-ui-bundle.js"></script>
<script defer src="swagger-ui-standalone-preset.js"></script>
<script defer src="start.js"></script>
<script defer src="login.js"></script>
</head>
<body>
<div id="login" data-shows="The document &quot;Your collections&quot;"></div>
<div id="reference"></div>
</body>
</html>
`

const plugIns = [codeSamples, contents, openFound, resourcesOnly] as const

const startScript = (
  urls: readonly { readonly url: string; readonly name: string }[],
): string => `${[filterOperations, ...plugIns].map(String).join('\n')}
SwaggerUIBundle({
  dom_id: '#reference',
  urls: ${JSON.stringify(urls)},
  layout: 'StandaloneLayout',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [() => ({ fn: { opsFilter: filterOperations } }), ${plugIns.map(({ name }) => name).join(', ')}],
  filter: true,
  docExpansion: 'none',
  deepLinking: true,
  displayOperationId: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})
`
