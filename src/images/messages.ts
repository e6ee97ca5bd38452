/** The messages between the server and the image worker. */
import type { ImageFacts, ImageLimits, Sources, Target, Transform, TransformedImage } from '../domain/ports/images.ts'

export type ToWorker =
  | { readonly kind: 'describe'; readonly source: string }
  | {
      readonly kind: 'transform'
      readonly sources: Sources
      readonly target: Target
      readonly transform: Transform
      readonly limits: Pick<ImageLimits, 'maxDimension' | 'maxOutputDimension' | 'sensitivity'>
    }

export type ToServer = Ready | Answer

/** Sent once, when the worker is ready. */
type Ready = { readonly kind: 'ready' }

/** The result of a task. */
export type Answer =
  | { readonly kind: 'described'; readonly facts: ImageFacts | null }
  | { readonly kind: 'transformed'; readonly image: TransformedImage }
  /** The image is invalid or the transformation cannot be applied. `detail` is the message of the library, for the log. */
  | { readonly kind: 'refused'; readonly reason: string; readonly detail: string | null }
