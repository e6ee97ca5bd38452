/** A synthetic 12 MP photograph with gradients, texture and noise, for realistic image processing. */
import sharp from 'sharp'

const size = { width: 4000, height: 3000 } as const

/** A JPEG of about 3.5 MB, identical at every call. */
export function makePicture(): Promise<Buffer> {
  const pixels = Buffer.alloc(size.width * size.height * 3)
  let seed = 1
  for (let y = 0, at = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1, at += 3) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      const noise = ((seed >>> 16) & 31) - 16
      const texture = 40 * Math.sin(x / 37) * Math.cos(y / 53) + 25 * Math.sin((x + y) / 11)
      pixels[at] = toByte((x / size.width) * 200 + texture + noise + 20)
      pixels[at + 1] = toByte((y / size.height) * 200 + texture * 0.6 + noise + 30)
      pixels[at + 2] = toByte(180 - (x / size.width) * 100 + texture * 0.3 + noise)
    }
  }
  return sharp(pixels, { raw: { ...size, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer()
}

const toByte = (value: number): number => Math.max(0, Math.min(255, value))
