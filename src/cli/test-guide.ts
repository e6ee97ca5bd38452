/** The commands of the guide for version 8, for tests that execute them. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const guide = (): string =>
  readFileSync(fileURLToPath(new URL('../../docs/from-version-8.md', import.meta.url)), 'utf8')

/** The commands of a chapter, in order, without remarks. */
export function commandsOf(chapter: string): readonly string[] {
  const [, text = ''] = guide().split(`\n## ${chapter}\n`)
  const [own = ''] = text.split('\n## ')
  const lines = [...own.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'))
  return lines.map((line) => line.replace(/ +#.*$/, ''))
}

/** The words of a command of `tandem`, with the places of the test; null for another command. */
export function tandemWords(
  command: string,
  places: { readonly database: string; readonly files: string; readonly report: string },
): readonly string[] | null {
  if (!command.startsWith('npm run tandem -- ')) return null
  const words = command.replace('npm run tandem -- ', '').split(' ')
  return words.map((word) => {
    if (word.startsWith('mysql://')) return places.database
    return word === './uploads/_' ? places.files : word === 'report.json' ? places.report : word
  })
}
