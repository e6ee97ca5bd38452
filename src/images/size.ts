/** How large a result becomes, worked out before any pixel is. */
import type { Step, Transform } from '../domain/images.ts'

export type Size = { readonly width: number; readonly height: number }

/** What the last `resize` says: of several calls the library does the last. */
type Resize = Partial<Size> & {
  readonly fit?: string
  readonly withoutEnlargement?: boolean
  readonly withoutReduction?: boolean
}

/** The size of the result, never less than it will be. The source is upright and, where a step trims it, trimmed. */
export function resultSize(source: Size, transform: Transform): Size {
  const shown = transform.steps.reduce(beforeResize, source)
  const resized = resize(shown, resizeOf(transform))
  const { extend } = Object.fromEntries(transform.steps.map(({ name, args }) => [name, args[0]]))
  return extended(resized, extend)
}

/** Whether the steps leave source pixels where they are, so that a focal point can be found again. */
export function keepsPlaces({ steps }: Transform): boolean {
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

/** Where to cut: scaled so that the picture covers the box, with the point as near to its middle as can be. */
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
  const place = (at: number, size: number, room: number): number =>
    Math.max(0, Math.min(Math.round(at * scale - size / 2), room - size))
  const left = place(focus.point.x, width, scaled.width)
  const top = place(focus.point.y, height, scaled.height)
  return { resize: scaled, extract: { left, top, width, height } }
}
