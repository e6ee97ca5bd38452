/** The timers of Node, whose timers can be told not to keep the process: those of browsers are numbers. */
export function setInterval(work: () => void, milliseconds: number): object {
  const timer: unknown = globalThis.setInterval(work, milliseconds)
  return typeof timer === 'number' ? Object.assign(new Number(timer), { unref: () => timer }) : (timer as object)
}
