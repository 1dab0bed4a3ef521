// One schedule: the busy time with its troubles, then calm, in which everything that was begun must end well.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Agent, isCertainRefusal } from './agent.ts'
import { judgeCompleted, judgeEnd, openOperations } from './judge-end.ts'
import { swapFileOnce } from './file-swap.ts'
import { createWeather } from './faulty-database.ts'
import type { Plan } from './plan.ts'
import type { PlantedBug } from './planted-bugs.ts'
import { RouterProcess, type Surroundings } from './router-process.ts'
import { SimulatedGongbu } from './simulated-gongbu.ts'
import { SimulatedHubu } from './simulated-hubu.ts'
import { Watch } from './watch.ts'
import { createWire } from './wire.ts'
import { World, type Violation } from './world.ts'

/** What became of a schedule. */
export interface Verdict {
  plan: Plan
  violation: Violation | null
  /** The happenings that matter, when a promise was broken. */
  history: string
  /** Steps of the world's time, deaths of processes, operations in the file. */
  steps: number
  deaths: number
  operations: number
}

/** The promise of the simulation about itself: breaking it is never a finding. */
export const itself = 'the simulation itself works'

/** A schedule that needs more steps than this does not end. */
const mostSteps = 60_000
/** Longer than the deadline of any operation, however the wall clock was set meanwhile. */
const pastDeadlinesMs = 27 * 60 * 60 * 1000

/** Runs a plan to its end. `folder` holds the registry file; memory-backed is faster and means the same here. */
export async function runSchedule(plan: Plan, folder: string, planted: PlantedBug | null = null): Promise<Verdict> {
  const home = mkdtempSync(path.join(folder, 'schedule-'))
  const world = new World(plan)
  const statePath = path.join(home, 'registry.sqlite3')
  const watch = new Watch(world, statePath)
  const hubu = new SimulatedHubu(world)
  const gongbu = new SimulatedGongbu(world, hubu)
  const around: Surroundings = {
    world,
    watch,
    weather: createWeather(world),
    statePath,
    hubu,
    gongbu,
    wires: { hubu: createWire(world, hubu), gongbu: createWire(world, gongbu) },
    planted,
  }
  const processes = plan.processes.map((one, i) => new RouterProcess(around, `P${i + 1}`, one))
  const agents = plan.intents.map((intent) => new Agent(world, watch, processes, intent))
  let isOver = false
  swapFileOnce(world, statePath, watch, processes)
  const script = runScript(world, processes, agents, { hubu, gongbu, watch }).then(
    () => {
      isOver = true
    },
    (error: unknown) => {
      world.blame(itself, String((error as Error).stack))
    },
  )
  while (!isOver && world.violation === null) {
    if (!(await world.time.step())) world.blame('everything ends', 'nothing is left to happen')
    if (world.time.kept > mostSteps) world.blame('everything ends', `${mostSteps} steps and no end`)
  }
  if (isOver) await script
  const operations = watch.rows().length
  for (const process of processes) process.die('the end of the schedule')
  watch.close()
  rmSync(home, { recursive: true, force: true })
  const { violation } = world
  const history = violation === null ? '' : world.history.print(violation.intent)
  return { plan, violation, history, steps: world.time.kept, deaths: world.deaths, operations }
}

/** Where registry files of schedules lie: in memory where the system offers that. */
export function scheduleFolder(): string {
  try {
    return mkdtempSync('/dev/shm/hubu-unified-mcp-simulation-')
  } catch {
    return mkdtempSync(path.join(tmpdir(), 'hubu-unified-mcp-simulation-'))
  }
}

interface Outside {
  hubu: SimulatedHubu
  gongbu: SimulatedGongbu
  watch: Watch
}

async function runScript(world: World, processes: RouterProcess[], agents: Agent[], outside: Outside): Promise<void> {
  const { time, plan } = world
  for (const process of processes) keepAlive(world, process)
  sleepSometimes(world)
  setClockSometimes(world)
  for (const agent of agents) void agent.act().catch((error: unknown) => world.blame(itself, String(error)))
  await time.pause(plan.activeMs)
  world.isCalm = true
  world.tell('world', 'is calm from here on')
  await time.pause(3000)
  world.sleepHost(20_000)
  await time.pause(1000)
  outside.hubu.decideAll()
  world.sleepHost(20_000)
  await time.pause(3000)
  judgeCompleted(world, outside)
  for (const agent of agents) await settle(world, agent, outside.hubu)
  for (let rounds = 0; rounds < 8 && openOperations(outside.watch) > 0; rounds++) {
    world.sleepHost(500 * plan.tickMs)
    await time.pause(500 + 3 * plan.tickMs)
  }
  if (openOperations(outside.watch) > 0) {
    // Who lives ahead gives deadlines that are as far off.
    world.sleepHost(pastDeadlinesMs + Math.max(...plan.processes.map(({ aheadMs = 0 }) => aheadMs)))
    await time.pause(500 + 12 * plan.tickMs)
  }
  judgeEnd(world, agents, outside)
}

/** Starts a process, and starts it again whenever it has died. */
function keepAlive(world: World, process: RouterProcess): void {
  const random = world.random(`restarts ${process.name}`)
  const startAfter = (waitMs: number) =>
    world.time.after(waitMs, () => {
      const restart = () => startAfter(random.between(20, 5000))
      process.start(restart).catch((error: unknown) => world.blame(itself, String((error as Error).stack)))
    })
  startAfter(random.between(0, 300))
}

function sleepSometimes(world: World): void {
  const random = world.random('host')
  world.time.after(random.between(2000, 30_000), () => {
    if (!world.strikes('host_sleep', random, 0.7)) return
    const ms = random.pick([5000, 15_000, 120_000, 3_600_000])
    world.sleepHost(ms)
  })
}

function setClockSometimes(world: World): void {
  const random = world.random('clock')
  world.time.after(random.between(2000, 30_000), () => {
    if (world.strikes('clock_step', random, 0.7))
      world.stepClock(random.pick([-3_600_000, -15_000, -2000, 1000, 8000, 600_000]))
  })
}

/** With nothing in the way, one more delivery must tell the agent how it stands. */
async function settle(world: World, agent: Agent, hubu: SimulatedHubu): Promise<void> {
  for (let tries = 0; tries < 6; tries++) {
    hubu.decideAll()
    await agent.refresh()
    const reply = await agent.deliverSpend()
    const isFinal = reply.kind === 'result' && (reply.value.decision === 'allow' || reply.value.decision === 'deny')
    if (isFinal) {
      const token: unknown = reply.value.auth_token_id
      if (agent.acknowledged !== null && typeof token === 'string') await agent.deliverCreate(token)
      return
    }
    // Who is denied and names no call asks anew each time, and is denied again.
    if (reply.kind === 'result' && world.plan.isGuarded && agent.intent.verdict === 'deny_later') return
    // Of clients without identities it is the answer that an equal purchase is there.
    if (reply.kind === 'error' && reply.code === 'possible_duplicate') return
    // A refusal is the end of its call, and not of what the agent wants.
    if (isCertainRefusal(reply)) agent.beginAnew()
    await world.time.pause(2000)
  }
  world.blame('every call can be settled', 'six calm deliveries brought no terminal result', agent.intent.n)
}
