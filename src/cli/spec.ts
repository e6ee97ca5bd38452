/** `tandem spec`: prints the bundled specs. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'

export async function printSpec(options: {
  readonly generation: string
  readonly format: 'json' | 'yaml'
}): Promise<void> {
  const file = new URL(`../generated/${options.generation}-spec.json`, import.meta.url)
  const { 'x-generated': _note, ...spec } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  const text =
    options.format === 'json'
      ? `${JSON.stringify(spec, null, 2)}\n`
      : (await import('../exchange/documents.ts')).toYaml(spec)
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}
