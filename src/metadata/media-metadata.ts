/** How long audio and video plays, and how large its pictures are. */
import { type IFormat, parseFromTokenizer } from 'music-metadata'
import { fromFile } from 'strtok3'

export type MediaFacts = {
  readonly width: number | null
  readonly height: number | null
  /** Milliseconds. */
  readonly duration: number | null
}

/** Bounds of what is written by strangers: bytes read at once, and milliseconds for all of it. */
const most = { bytes: 32 * 1024 ** 2, time: 3_000 } as const

/** Reads a file of that type. Whatever is wrong with it, the answer is what could be read. */
export async function readMedia(path: string, type: string): Promise<MediaFacts> {
  const tokenizer = await fromFile(path, { fileInfo: { mimeType: type }, maxBufferSize: most.bytes })
  let format: Pick<IFormat, 'duration' | 'trackInfo'> = { trackInfo: [] }
  const parsed = parseFromTokenizer(tokenizer, {
    // Of an MP3 the rate tells it; other streams say it in their last piece alone.
    duration: type !== 'audio/mpeg',
    skipCovers: true,
    mkvUseIndex: true,
    observer: ({ metadata }) => {
      ;({ format } = metadata)
    },
  }).then((whole) => {
    ;({ format } = whole)
  })
  await Promise.race([parsed, wait(most.time)]).catch(() => {})
  await tokenizer.close()
  return factsOf(format)
}

const wait = (time: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, time).unref())

function factsOf({ duration, trackInfo }: Pick<IFormat, 'duration' | 'trackInfo'>): MediaFacts {
  const longest = Math.max(...[duration, ...trackInfo.map((track) => track.duration)].map((each) => each ?? -1))
  const { video } = trackInfo.find((track) => track.video?.pixelWidth !== undefined) ?? {}
  const [width, height] = [whole(video?.pixelWidth), whole(video?.pixelHeight)]
  return { duration: whole(longest * 1000), ...(width && height ? { width, height } : { width: null, height: null }) }
}

/** As a column of the database takes it. */
function whole(value: number | undefined): number | null {
  const rounded = Math.round(value ?? -1)
  return rounded >= 0 && rounded < 2 ** 31 ? rounded : null
}
