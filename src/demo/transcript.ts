/** What one step of the journey found. Values are for machines; the line is for people. */
export interface StepReport {
  step: string
  tool: string
  line: string
  values: Record<string, unknown>
}

/** Where a journey reports to. */
export interface Transcript {
  /** A step begins. */
  begin(step: string): void
  /** A step holds. */
  done(report: StepReport): void
  /** Ends the transcript; `failure` when the journey does not hold. */
  end(failure: string | null): void
}

interface Output {
  write(text: string): unknown
}

/** A readable transcript, a line for each step as it ends. */
export function createTextTranscript(out: Output, steps: number): Transcript {
  let number = 0
  let current = ''
  return {
    begin: (step) => {
      number++
      current = step
    },
    done: ({ step, line }) => out.write(`${String(number).padStart(2)}/${steps}  ok  ${step.padEnd(26)}  ${line}\n`),
    end: (failure) => {
      if (failure === null)
        out.write(
          '\nAll of it held: two authorizations, one of them by a person, each charged once, and the pictures.\n',
        )
      else out.write(`${String(number).padStart(2)}/${steps}  FAILED  ${current}: ${failure}\n`)
    },
  }
}

/** Nothing but the failure, if there is one. */
export function createQuietTranscript(errors: Output): Transcript {
  let current = ''
  return {
    begin: (step) => void (current = step),
    done: () => {},
    end: (failure) => void (failure !== null && errors.write(`hubu-unified-mcp: ${current}: ${failure}\n`)),
  }
}

/** One JSON object at the end, for machines. */
export function createJsonTranscript(out: Output): Transcript {
  const reports: StepReport[] = []
  return {
    begin: () => {},
    done: (report) => reports.push(report),
    end: (failure) => out.write(`${JSON.stringify({ ok: failure === null, failure, steps: reports }, null, 2)}\n`),
  }
}
