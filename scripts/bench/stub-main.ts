// The process that stub-process.ts starts.
import { startStubGongbu, startStubHubu } from './stub-backends.ts'

const [hubu, gongbu] = await Promise.all([startStubHubu(), startStubGongbu()])
process.on('disconnect', () => process.exit())
process.send?.({ hubuUrl: hubu.url, gongbuUrl: gongbu.url })
