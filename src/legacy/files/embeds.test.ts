import { expect, test } from 'vitest'
import { findVideo, videoOf } from './embeds.ts'

test.each([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', { site: 'youtube', id: 'dQw4w9WgXcQ' }],
  ['https://www.youtube.com/watch?list=a&v=dQw4w9WgXcQ&t=3', { site: 'youtube', id: 'dQw4w9WgXcQ' }],
  ['https://youtu.be/dQw4w9WgXcQ', { site: 'youtube', id: 'dQw4w9WgXcQ' }],
  ['https://www.youtube.com/embed/dQw4w9WgXcQ', { site: 'youtube', id: 'dQw4w9WgXcQ' }],
  ['https://vimeo.com/76979871', { site: 'vimeo', id: '76979871' }],
  ['https://player.vimeo.com/video/76979871?h=1', { site: 'vimeo', id: '76979871' }],
  ['https://example.com/watch?v=dQw4w9WgXcQ', null],
  ['https://youtube.com.example.com/watch?v=dQw4w9WgXcQ', null],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ"><script>', null],
  ['aGVsbG8=', null],
])('%s', (address, video) => {
  expect(findVideo(address)).toEqual(video)
})

test('the page embeds the video and nothing that a client wrote into the row', () => {
  expect(videoOf('embed/youtube', 'dQw4w9WgXcQ')).toEqual({
    html: '<iframe width="560" height="340" src="https://www.youtube.com/embed/dQw4w9WgXcQ" frameborder="0" allowfullscreen></iframe>',
    url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  })
  expect(videoOf('embed/vimeo', '76979871')?.url).toBe('https://vimeo.com/76979871')
  expect(videoOf('embed/youtube', '"><script>')).toBeNull()
  expect(videoOf('image/png', 'dQw4w9WgXcQ')).toBeNull()
  expect(videoOf('embed/youtube', null)).toBeNull()
})
