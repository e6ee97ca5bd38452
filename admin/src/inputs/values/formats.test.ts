import { expect, test } from 'vitest'
import { formatNames, type Selected, withFormat } from './formats.ts'

const text = 'Two saddles\nOne horse\nNo hay'

/** The text with its selection in brackets. */
const marked = ({ text: all, start, end }: Selected): string =>
  `${all.slice(0, start)}[${all.slice(start, end)}]${all.slice(end)}`

const results = (markup: 'markdown' | 'html') =>
  Object.fromEntries(formatNames.map((name) => [name, marked(withFormat({ text, start: 12, end: 15 }, name, markup))]))

test('formats of Markdown', () => {
  expect(results('markdown')).toEqual({
    bold: 'Two saddles\n**[One]** horse\nNo hay',
    italic: 'Two saddles\n*[One]* horse\nNo hay',
    heading: 'Two saddles\n[## One horse]\nNo hay',
    list: 'Two saddles\n[- One horse]\nNo hay',
    quote: 'Two saddles\n[> One horse]\nNo hay',
    link: 'Two saddles\n[[One]](https://) horse\nNo hay',
  })
})

test('formats of HTML', () => {
  expect(results('html')).toEqual({
    bold: 'Two saddles\n<strong>[One]</strong> horse\nNo hay',
    italic: 'Two saddles\n<em>[One]</em> horse\nNo hay',
    heading: 'Two saddles\n[<h2>One horse</h2>]\nNo hay',
    list: 'Two saddles\n<ul>\n[<li>One horse</li>]\n</ul>\nNo hay',
    quote: 'Two saddles\n<blockquote>\n[<p>One horse</p>]\n</blockquote>\nNo hay',
    link: 'Two saddles\n<a href="https://">[One]</a> horse\nNo hay',
  })
})

test('formats of lines take all lines of the selection, at the ends of the text too', () => {
  expect(withFormat({ text, start: 0, end: text.length }, 'list', 'markdown').text).toBe(
    '- Two saddles\n- One horse\n- No hay',
  )
  expect(withFormat({ text: '', start: 0, end: 0 }, 'heading', 'html').text).toBe('<h2></h2>')
})
