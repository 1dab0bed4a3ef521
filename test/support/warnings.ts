/** Collects the names of what the process warns of from now on. A warning is told a turn after its cause. */
export function collectWarnings(): Disposable & { seen(): Promise<string[]> } {
  const names: string[] = []
  const note = ({ name }: Error) => void names.push(name)
  process.on('warning', note)
  return {
    seen: () => new Promise((resolve) => setImmediate(() => resolve(names))),
    [Symbol.dispose]: () => void process.off('warning', note),
  }
}
