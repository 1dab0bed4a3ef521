import type { Socket } from 'node:net'
import type { AnswerWatch } from '../wire/handlers.ts'

/** Gives each connection the watch of its own answers, which hears when it closes: what was only written by then is learned no more. */
export function createConnectionAnswers(makeWatch: () => AnswerWatch): (socket: Socket) => AnswerWatch {
  const bySocket = new WeakMap<Socket, AnswerWatch>()
  return (socket) => {
    const known = bySocket.get(socket)
    if (known !== undefined) return known
    const watch = makeWatch()
    bySocket.set(socket, watch)
    socket.once('close', () => watch.closed())
    return watch
  }
}
