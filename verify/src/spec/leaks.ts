/** A message of a driver, a stack trace or a file path in the text of an error; null if there is none. */
export const leakOf = (text: string): string | null =>
  /\bselect .+ from\b|\bat \w+ \(|node_modules|syntax error at|\.ts:\d+/i.exec(text)?.[0] ?? null
