/** A text as QR code (ISO/IEC 18004): bytes, correction level L, the first mask, versions 1 to 10. */

type Version = {
  /** Words of the text in each block. */
  readonly blocks: readonly number[]
  /** Words of correction in each block. */
  readonly correction: number
  /** Rows and columns where alignment patterns meet. */
  readonly alignment: readonly number[]
  /** The bits that name the version, from version 7 on. */
  readonly name?: number
}

const versions: readonly Version[] = [
  { blocks: [19], correction: 7, alignment: [] },
  { blocks: [34], correction: 10, alignment: [6, 18] },
  { blocks: [55], correction: 15, alignment: [6, 22] },
  { blocks: [80], correction: 20, alignment: [6, 26] },
  { blocks: [108], correction: 26, alignment: [6, 30] },
  { blocks: [68, 68], correction: 18, alignment: [6, 34] },
  { blocks: [78, 78], correction: 20, alignment: [6, 22, 38], name: 0x07c94 },
  { blocks: [97, 97], correction: 24, alignment: [6, 24, 42], name: 0x085bc },
  { blocks: [116, 116], correction: 30, alignment: [6, 26, 46], name: 0x09a99 },
  { blocks: [68, 68, 69, 69], correction: 18, alignment: [6, 28, 50], name: 0x0a4d3 },
]

/** The bits that name level L and the first mask. */
const format = 0x77c4

const sum = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0)

/** Rows of modules, true for dark ones; null for a text that is too long. */
export function toQrCode(text: string): readonly (readonly boolean[])[] | null {
  const bytes = [...new TextEncoder().encode(text)]
  const at = versions.findIndex(({ blocks }, index) => bytes.length + (index < 9 ? 2 : 3) <= sum(blocks))
  const version = versions[at]
  if (version === undefined) return null
  const modules = patternsOf(at + 1, version)
  fill(modules, withCorrection(wordsOf(bytes, at + 1, sum(version.blocks)), version))
  return modules.map((row) => row.map((each) => each === true))
}

/** Mode, length and bytes, filled up to the words of the version. */
function wordsOf(bytes: readonly number[], version: number, count: number): readonly number[] {
  const length = bytes.length.toString(2).padStart(version < 10 ? 8 : 16, '0')
  const bits = `0100${length}${bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')}0000`
  const words = (bits.match(/.{1,8}/g) ?? []).map((word) => Number.parseInt(word.padEnd(8, '0'), 2)).slice(0, count)
  return Array.from({ length: count }, (_, at) => words[at] ?? ((at - words.length) % 2 === 0 ? 0xec : 0x11))
}

function withCorrection(words: readonly number[], { blocks, correction }: Version): readonly number[] {
  const parts = blocks.map((length, at) => {
    const begin = sum(blocks.slice(0, at))
    return words.slice(begin, begin + length)
  })
  const added = parts.map((part) => remainder(part, correction))
  return [...interleaved(parts), ...interleaved(added)]
}

const interleaved = (parts: readonly (readonly number[])[]): readonly number[] =>
  Array.from({ length: Math.max(...parts.map(({ length }) => length)) }, (_, at) =>
    parts.flatMap((part) => part[at] ?? []),
  ).flat()

/** Powers of 2 in the field of 256 elements over x^8 + x^4 + x^3 + x^2 + 1, and the exponent of each element. */
const powers: number[] = []
const exponents: number[] = []
for (let exponent = 0, power = 1; exponent < 255; exponent += 1) {
  powers.push(power)
  exponents[power] = exponent
  power = power < 128 ? power << 1 : (power << 1) ^ 0x11d
}

const product = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : (powers[((exponents[a] ?? 0) + (exponents[b] ?? 0)) % 255] ?? 0)

/** What is left of the words, as a polynomial, after division by the one whose zeros are the first powers of 2. */
function remainder(words: readonly number[], degree: number): readonly number[] {
  let divisor = [1]
  for (const root of powers.slice(0, degree))
    divisor = [...divisor, 0].map((each, at) => each ^ product(divisor[at - 1] ?? 0, root))
  const rest = [...words, ...Array<number>(degree).fill(0)]
  for (const at of words.keys()) {
    const factor = rest[at] ?? 0
    for (const [step, each] of divisor.entries()) rest[at + step] = (rest[at + step] ?? 0) ^ product(each, factor)
  }
  return rest.slice(words.length)
}

/** Rows of modules; undefined for those of the text. */
type Modules = (boolean | undefined)[][]

const set = (modules: Modules, x: number, y: number, isDark: boolean): void => {
  const row = modules[y]
  if (row !== undefined && x >= 0 && x < row.length) row[x] = isDark
}

const bit = (word: number, place: number): boolean => ((word >> place) & 1) === 1

/** All but the text: what readers find the code by, and how it is to be read. */
function patternsOf(version: number, { alignment, name }: Version): Modules {
  const size = version * 4 + 17
  const modules: Modules = Array.from({ length: size }, () => Array<boolean | undefined>(size).fill(undefined))
  for (let at = 0; at < size; at += 1) {
    set(modules, at, 6, at % 2 === 0)
    set(modules, 6, at, at % 2 === 0)
  }
  const corner = (x: number, y: number): boolean =>
    (x === 6 && y === 6) || (x === 6 && y > size - 9) || (y === 6 && x > size - 9)
  for (const y of alignment) for (const x of alignment) if (!corner(x, y)) addSquares(modules, { x, y, radius: 2 })
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    addSquares(modules, { x, y, radius: 4 })
  addFormat(modules, size)
  if (name !== undefined)
    for (let at = 0; at < 18; at += 1) {
      const [near, far] = [Math.floor(at / 3), size - 11 + (at % 3)]
      set(modules, near, far, bit(name, at))
      set(modules, far, near, bit(name, at))
    }
  return modules
}

type Square = { readonly x: number; readonly y: number; readonly radius: number }

/** Squares around a point, dark and light in turns; that of radius 2 is light in the large ones. */
function addSquares(modules: Modules, { x, y, radius }: Square): void {
  for (let down = -radius; down <= radius; down += 1)
    for (let right = -radius; right <= radius; right += 1) {
      const distance = Math.max(Math.abs(down), Math.abs(right))
      set(modules, x + right, y + down, radius === 4 ? distance !== 2 && distance !== 4 : distance !== 1)
    }
}

/** Twice, around the corners, and one module that is always dark. */
function addFormat(modules: Modules, size: number): void {
  for (let at = 0; at < 15; at += 1) {
    const isDark = bit(format, at)
    if (at < 6) set(modules, 8, at, isDark)
    else if (at < 8) set(modules, 8, at + 1, isDark)
    else if (at === 8) set(modules, 7, 8, isDark)
    else set(modules, 14 - at, 8, isDark)
    if (at < 8) set(modules, size - 1 - at, 8, isDark)
    else set(modules, 8, size - 15 + at, isDark)
  }
  set(modules, 8, size - 8, true)
}

/** Puts the bits of the words into the free modules, in columns of two from the right, up and down in turns. */
function fill(modules: Modules, words: readonly number[]): void {
  const size = modules.length
  let next = 0
  for (let pair = 0; pair < (size - 1) / 2; pair += 1) {
    // The column of the timing pattern is left out.
    const right = size - 1 - pair * 2 - (pair * 2 >= size - 7 ? 1 : 0)
    for (let step = 0; step < size; step += 1)
      for (const x of [right, right - 1]) {
        const y = pair % 2 === 0 ? size - 1 - step : step
        if (modules[y]?.[x] !== undefined) continue
        set(modules, x, y, bit(words[next >> 3] ?? 0, 7 - (next & 7)) !== ((x + y) % 2 === 0))
        next += 1
      }
  }
}
