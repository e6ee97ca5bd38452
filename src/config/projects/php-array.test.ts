import { expect, test } from 'vitest'
import { readPhpArray } from './php-array.ts'

const read = (code: string): unknown => readPhpArray(`<?php\n${code}`, '/var/www/config/api.php')

test.each([
  ['return [];', []],
  ["return ['a' => 1, 'b' => [true, FALSE, null]];", { a: 1, b: [true, false, null] }],
  ["return array(\"a\\n\" => -1.5, 'b' => 'it\\'s');", { 'a\n': -1.5, b: "it's" }],
  ["return ['path' => __DIR__ . '/../logs' . '/x'];", { path: '/var/www/config/../logs/x' }],
  ["return [0 => 'a', 1 => 'b'];", ['a', 'b']],
  ["return [5 => 'a', 'b'];", { 5: 'a', 6: 'b' }],
  ["// a\n# b\n/* c */\nreturn ['a' => 'x'];", { a: 'x' }],
  ["declare(strict_types=1);\nreturn ['a' => 'x'];", { a: 'x' }],
  ["return ['__proto__' => 1];", Object.fromEntries([['__proto__', 1]])],
])('%s', (code, expected) => {
  expect(read(code)).toEqual(expected)
})

test.each([
  ['', 'Expected `return [ … ];` but received nothing'],
  ["return 'a';", 'Expected a literal value in line 2 but received code (return)'],
  ["return [\n'a' => getenv('SECRET')];", 'Expected a literal value in line 3 but received code (call)'],
  ['$a = 1; return [];', 'Expected a literal value in line 2 but received code (expressionstatement)'],
  ["return ['a' => FOO];", 'Expected a literal value in line 2 but received code (name)'],
  ['return ["a" => "b $c"];', 'Expected a literal value in line 2 but received code (encapsed)'],
  ["return ['a' => __FILE__];", 'Expected a literal value in line 2 but received code (magic)'],
  ["return ['a' => 1 . 'b'];", 'Expected a literal value in line 2 but received code (bin)'],
  ["return ['a' => 'b' + 'c'];", 'Expected a literal value in line 2 but received code (bin)'],
  ["return ['a' => 0777];", 'Expected a literal value in line 2 but received code (number)'],
  ["return ['a' => !true];", 'Expected a literal value in line 2 but received code (unary)'],
  ["return [...['a']];", 'Expected a literal value in line 2 but received code (entry)'],
  ["return ['hooks' => function () { return 1; }];", 'Expected a literal value in line 2 but received code (closure)'],
  ['return []; exit;', 'Expected a literal value in line 2 but received code (expressionstatement)'],
  [`return ${'['.repeat(21)}${']'.repeat(21)};`, 'Expected a literal value in line 2 but received code (array)'],
  ['return [', 'Expected PHP code in line 2 but received something else'],
])('%s is refused', (code, message) => {
  expect(() => read(code)).toThrow(message)
})
