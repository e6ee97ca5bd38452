/** What the server and the image worker say to each other. */
import type { ImageFacts, ImageLimits, Target, Transform, TransformedImage } from '../domain/images.ts'

export type ToWorker =
  | { readonly kind: 'describe'; readonly source: string }
  | {
      readonly kind: 'transform'
      readonly source: string
      readonly target: Target
      readonly transform: Transform
      readonly limits: Pick<ImageLimits, 'maxDimension' | 'maxOutputDimension' | 'sensitivity'>
    }

export type ToServer = Ready | Answer

/** Said once, when the program can begin. */
type Ready = { readonly kind: 'ready' }

/** What a task comes to. */
export type Answer =
  | { readonly kind: 'described'; readonly facts: ImageFacts | null }
  | { readonly kind: 'transformed'; readonly image: TransformedImage }
  /** The image or what is asked of it cannot be done. `detail` is the library's own text, for the log. */
  | { readonly kind: 'refused'; readonly reason: string; readonly detail: string | null }
