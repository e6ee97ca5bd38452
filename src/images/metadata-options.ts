/** The options of `withMetadata`: ICC profiles only by name, never by path, and EXIF texts of limited size. */
import { integer, members, number, type Rule, word, wrong } from './rules.ts'

/** Limits: entries per block, characters per entry. */
const most = { entries: 50, characters: 2000 } as const

const tag = /^[A-Za-z][A-Za-z0-9]{0,63}$/

const block: Rule = (value, path) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(path, 'an object', value)
  const entries = Object.entries(value)
  if (entries.length > most.entries) throw wrong(path, `at most ${most.entries} entries`, entries.length)
  for (const [name, text] of entries) {
    if (!tag.test(name)) throw wrong(path, 'names of EXIF tags', name)
    const fits = typeof text === 'string' && text.length <= most.characters && !text.includes('\0')
    if (!fits) throw wrong(`${path}.${name}`, `a text of at most ${most.characters} characters`, text)
  }
}

/** Orientation, density in pixels per inch, ICC profile, and EXIF blocks. */
export const metadataOptions = members({
  orientation: integer(1, 8),
  density: number(0.01, 1e5),
  icc: word('srgb', 'p3', 'cmyk'),
  exif: members({ IFD0: block, IFD1: block, IFD2: block, IFD3: block }),
})
