/** Reads the duration of audio and video, and the frame size of video. */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { type IFormat, type IOptions, parseFromTokenizer } from 'music-metadata'
import { fromBuffer, fromFile, fromStream, type ITokenizer } from 'strtok3'

export type MediaFacts = {
  readonly width: number | null
  readonly height: number | null
  /** Duration in milliseconds. */
  readonly duration: number | null
}

/** A file, its media type, and whether its middle is a hole (only its start and end are present). */
export type Medium = { readonly path: string; readonly type: string; readonly hasHole?: boolean }

type Format = Pick<IFormat, 'duration' | 'trackInfo'>

/** Limits for untrusted files: bytes per read, bytes from either end, and milliseconds in total. */
const most = { bytes: 32 * 1024 ** 2, end: 2 * 1024 ** 2, time: 3_000 } as const

/** Reads the facts of a file. Damaged files are no error: the result is whatever could be read. */
export async function readMedia(medium: Medium): Promise<MediaFacts> {
  const end = performance.now() + most.time
  let format: Format = { trackInfo: [] }
  for (const way of await openingsOf(medium)) {
    if (format.duration === undefined) format = await read(way, end - performance.now())
  }
  return factsOf(format)
}

/** How the file is opened, and whether it is read completely to compute the duration. */
type Opening = { readonly open: () => Promise<ITokenizer>; readonly toEnd: boolean }

/** The ways to determine the duration, the cheapest first. */
async function openingsOf({ path, type, hasHole = false }: Medium): Promise<readonly Opening[]> {
  const { size } = await stat(path)
  const options = { fileInfo: { mimeType: type, size }, maxBufferSize: most.bytes }
  const jumping = async (): Promise<ITokenizer> => fromFile(path, options)
  // Many small sequential reads are ten times faster on a stream.
  const counting: readonly Opening[] = hasHole
    ? []
    : [{ open: async () => fromStream(createReadStream(path, { highWaterMark: 262_144 }), options), toEnd: true }]
  if (type === 'audio/aac') return counting
  // Most files have a constant rate or a header. For the others, all frames must be counted.
  if (type === 'audio/mpeg') return [{ open: jumping, toEnd: false }, ...counting]
  const isLongOgg = type.endsWith('/ogg') && size > 2 * most.end
  return [{ open: isLongOgg ? async () => openEnds(path, size, type) : jumping, toEnd: true }]
}

/** The first and the last complete pages of an Ogg file, joined. The last page contains the duration. */
async function openEnds(path: string, size: number, mimeType: string): Promise<ITokenizer> {
  const [first, last] = [Buffer.alloc(most.end), Buffer.alloc(most.end)]
  const file = await open(path)
  try {
    await file.read(first, 0, most.end, 0)
    await file.read(last, 0, most.end, size - most.end)
  } finally {
    await file.close()
  }
  const pages = [first.subarray(0, first.lastIndexOf('OggS')), last.subarray(last.indexOf('OggS'))]
  return fromBuffer(Buffer.concat(pages), { fileInfo: { mimeType } })
}

async function read({ open: openContents, toEnd }: Opening, time: number): Promise<Format> {
  let format: Format = { trackInfo: [] }
  const tokenizer = await openContents()
  const observer: IOptions['observer'] = ({ metadata }) => {
    ;({ format } = metadata)
  }
  const options = { duration: toEnd, skipCovers: true, mkvUseIndex: true, observer }
  const parsed = parseFromTokenizer(tokenizer, options).then((whole) => {
    ;({ format } = whole)
  })
  await Promise.race([parsed, wait(time)]).catch(() => {})
  await tokenizer.close()
  return format
}

const wait = (time: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, time).unref())

function factsOf({ duration, trackInfo }: Format): MediaFacts {
  const longest = Math.max(...[duration, ...trackInfo.map((track) => track.duration)].map((each) => each ?? -1))
  const { video } = trackInfo.find((track) => track.video?.pixelWidth !== undefined) ?? {}
  const [width, height] = [whole(video?.pixelWidth), whole(video?.pixelHeight)]
  return { duration: whole(longest * 1000), ...(width && height ? { width, height } : { width: null, height: null }) }
}

/** Rounds and limits a number to an integer column. */
function whole(value: number | undefined): number | null {
  const rounded = Math.round(value ?? -1)
  return rounded >= 0 && rounded < 2 ** 31 ? rounded : null
}
