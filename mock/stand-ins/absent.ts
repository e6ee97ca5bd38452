/** What the mock never uses. A class may extend it; a call, an instance and a property throw. */
export function absent(module: string, name: string): unknown {
  function fail(): never {
    throw new Error(`The mock has no "${name}" of "${module}"`)
  }
  return new Proxy(fail, {
    get: (target, key, receiver) =>
      typeof key === 'symbol' || key === 'prototype' ? Reflect.get(target, key, receiver) : fail(),
  })
}
