import { hidePrivateKeys } from '../redaction/private-operation.ts'
import { cleanText } from '../terminal/foreign-text.ts'

/**
 * The process as commands print through it. Whatever a command repeats of backends, servers and agents, no text reaches stdout
 * or stderr with a sign that a terminal obeys or that hides others, and none with a private operation key. Bytes pass.
 * `finish` adds what is ours to a text that is cleaned.
 */
export function cleanProcess(process: NodeJS.Process, finish = (text: string): string => text): NodeJS.Process {
  const [stdout, stderr] = [process.stdout, process.stderr].map((stream) =>
    withMembers(stream, {
      write: (chunk: unknown, ...rest: never[]) =>
        stream.write(
          (typeof chunk === 'string' ? finish(cleanText(hidePrivateKeys(chunk))) : chunk) as string,
          ...rest,
        ),
    }),
  )
  return withMembers(process, { stdout, stderr })
}

/** The object itself, but for these members. */
function withMembers<T extends object>(original: T, members: Readonly<Record<string, unknown>>): T {
  return new Proxy(original, {
    get(target, name) {
      if (typeof name === 'string' && Object.hasOwn(members, name)) return members[name]
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
