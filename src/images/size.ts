/** Computes the size of a result before pixels are decoded. */
import type { Step, Transform } from '../domain/ports/images.ts'
import { affineSize } from './affine.ts'

export type Size = { readonly width: number; readonly height: number }

/** The last `resize`; the library ignores earlier calls. */
type Resize = Partial<Size> & {
  readonly fit?: string
  readonly withoutEnlargement?: boolean
  readonly withoutReduction?: boolean
}

/**
 * Upper bound of the size of the result. `source` is the size after EXIF rotation and after a trim. `joined` is the size
 * of the other image of `boolean`.
 */
export function resultSize(source: Size, transform: Transform, joined: Size | null): Size {
  const shown = transform.steps.reduce(beforeResize, source)
  const resized = resize(shown, resizeOf(transform))
  const affine = transform.steps.find(({ name }) => name === 'affine')
  const { extend } = Object.fromEntries(transform.steps.map(({ name, args }) => [name, args[0]]))
  const { width, height } = extended(affine === undefined ? resized : affineSize(resized, affine), extend)
  return { width: Math.max(width, joined?.width ?? 0), height: Math.max(height, joined?.height ?? 0) }
}

/** Whether source pixels keep their positions during the steps, so that a focal point stays valid. */
export function keepsOrientation({ steps }: Transform): boolean {
  return !steps.some(({ name, args }) => ['extract', 'trim', 'resize'].includes(name) || isTurn(name, args))
}

const isTurn = (name: string, args: readonly unknown[]): boolean => name === 'rotate' && args.length > 0

function beforeResize(size: Size, { name, args }: Step): Size {
  if (isTurn(name, args)) {
    const side = Math.ceil(Math.hypot(size.width, size.height))
    const turn = Math.abs(args[0] as number) % 180
    if (turn === 0) return size
    return turn === 90 ? { width: size.height, height: size.width } : { width: side, height: side }
  }
  if (name !== 'extract') return size
  const { width, height } = args[0] as Size
  return { width: Math.min(width, size.width), height: Math.min(height, size.height) }
}

function resizeOf({ width, height, fit, withoutEnlargement, steps }: Transform): Resize {
  if (width !== null || height !== null) {
    return { ...(width === null ? {} : { width }), ...(height === null ? {} : { height }), fit, withoutEnlargement }
  }
  const args = steps.findLast(({ name }) => name === 'resize')?.args ?? []
  const [first, second, options] = args
  if (typeof first === 'object' && first !== null) return first
  return {
    ...(typeof first === 'number' ? { width: first } : {}),
    ...(typeof second === 'number' ? { height: second } : {}),
    ...(options as Resize | undefined),
  }
}

function resize(from: Size, to: Resize): Size {
  const scales = [
    ...(to.width === undefined ? [] : [to.width / from.width]),
    ...(to.height === undefined ? [] : [to.height / from.height]),
  ]
  const [first, second] = scales
  if (first === undefined) return from
  if (second !== undefined && !['inside', 'outside'].includes(to.fit ?? 'cover')) {
    return { width: to.width as number, height: to.height as number }
  }
  const wanted = to.fit === 'outside' ? Math.max(...scales) : Math.min(...scales)
  const scale = limitScale(wanted, to)
  return { width: Math.ceil(from.width * scale), height: Math.ceil(from.height * scale) }
}

function limitScale(scale: number, { withoutEnlargement, withoutReduction }: Resize): number {
  if (withoutEnlargement === true && scale > 1) return 1
  return withoutReduction === true && scale < 1 ? 1 : scale
}

function extended({ width, height }: Size, extend: unknown): Size {
  if (typeof extend === 'number') return { width: width + 2 * extend, height: height + 2 * extend }
  const { top = 0, right = 0, bottom = 0, left = 0 } = (extend ?? {}) as { readonly [edge: string]: number }
  return { width: width + left + right, height: height + top + bottom }
}

/** The crop of a cover fit: the image is scaled to cover the box, and the focal point is as close to the centre as possible. */
export function focalCrop(
  source: Size,
  box: Size,
  focus: { readonly point: { readonly x: number; readonly y: number }; readonly withoutEnlargement: boolean },
): { readonly resize: Size; readonly extract: Size & { readonly left: number; readonly top: number } } {
  const covering = Math.max(box.width / source.width, box.height / source.height)
  const scale = focus.withoutEnlargement ? Math.min(covering, 1) : covering
  const scaled = { width: Math.round(source.width * scale), height: Math.round(source.height * scale) }
  const width = Math.min(box.width, scaled.width)
  const height = Math.min(box.height, scaled.height)
  const start = (at: number, size: number, room: number): number =>
    Math.max(0, Math.min(Math.round(at * scale - size / 2), room - size))
  const left = start(focus.point.x, width, scaled.width)
  const top = start(focus.point.y, height, scaled.height)
  return { resize: scaled, extract: { left, top, width, height } }
}
