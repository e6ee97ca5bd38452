/** The options of each output format, with the ranges of the image library. */
import type { imageFormats } from '../domain/ports/images.ts'
import { flag, integer, members, number, type Rule, word } from './rules.ts'

const quality = integer(1, 100)
const subsampling = word('4:2:0', '4:4:4')

/** AVIF with an effort above 4 takes minutes instead of seconds and saves only a few percent. */
const avifEffort = integer(0, 4)

/** The options of each format. Animation options are absent, because only the first frame is transformed. */
export const encoderOptions: { readonly [Format in (typeof imageFormats)[number]]: Rule } = {
  jpeg: members({
    quality,
    progressive: flag,
    chromaSubsampling: subsampling,
    optimiseCoding: flag,
    optimizeCoding: flag,
    mozjpeg: flag,
    trellisQuantisation: flag,
    trellisQuantization: flag,
    overshootDeringing: flag,
    optimiseScans: flag,
    optimizeScans: flag,
    quantisationTable: integer(0, 8),
    quantizationTable: integer(0, 8),
  }),
  png: members({
    quality: integer(0, 100),
    progressive: flag,
    compressionLevel: integer(0, 9),
    adaptiveFiltering: flag,
    palette: flag,
    effort: integer(1, 10),
    colours: integer(2, 256),
    colors: integer(2, 256),
    dither: number(0, 1),
  }),
  webp: members({
    quality,
    alphaQuality: integer(0, 100),
    lossless: flag,
    nearLossless: flag,
    smartSubsample: flag,
    smartDeblock: flag,
    preset: word('default', 'photo', 'picture', 'drawing', 'icon', 'text'),
    effort: integer(0, 6),
    minSize: flag,
    mixed: flag,
    exact: flag,
  }),
  tiff: members({
    quality,
    compression: word('none', 'jpeg', 'deflate', 'packbits', 'ccittfax4', 'lzw', 'webp', 'zstd'),
    predictor: word('none', 'horizontal', 'float'),
    bitdepth: word(1, 2, 4),
    tile: flag,
    tileWidth: integer(1, 4096),
    tileHeight: integer(1, 4096),
    pyramid: flag,
    bigtiff: flag,
    miniswhite: flag,
    xres: number(0.001, 1e6),
    yres: number(0.001, 1e6),
    resolutionUnit: word('inch', 'cm'),
  }),
  avif: members({
    quality,
    lossless: flag,
    effort: avifEffort,
    chromaSubsampling: subsampling,
    bitdepth: word(8, 10, 12),
    tune: word('auto', 'iq', 'psnr', 'ssim'),
  }),
}
