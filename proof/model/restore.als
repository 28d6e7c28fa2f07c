/*
 * One counter of Numera around a suspension, a restore and an advance, with the instances that go on through them.
 *
 * The copy that is restored is from before the first call. A restore by the runbook follows a suspension of the whole
 * service; a plain restore, by anybody, follows nothing. Writes land at any later time or never, as in counter.als.
 */
module restore

open util/ordering[Number] as numbers
open util/ordering[Epoch] as epochs

abstract sig Rule {}
one sig
  /** An instance allocates nothing by a definition that is suspended. */
  Suspended,
  /** A suspension gives the counter a new version and epoch after the mark. */
  Renewed,
  /** A suspension ends after 30 s: no call lasts longer, and a definition that was read before is read again. */
  Honored,
  /** Rows that the runbook restores are suspended. */
  Arrives,
  /** The runbook advances the counter beyond all numbers that were written before. */
  Advanced,
  /** A new epoch is higher than all that were ever used, since it is the time. */
  Risen,
  /** An instance refuses a counter that is behind the one that it has observed. */
  Observed,
  /** What the answer of another instance reports counts as observed. */
  Reported,
  /** A block older than 30 s is used only after a read has shown the same epoch and no lower next number. */
  BlockChecked
extends Rule {}
sig Dropped in Rule {}

sig Number, Epoch {}

enum Mark { Open, Closed }
/** What the operator has done; Before until a suspension begins. */
enum Phase { Before, Marked, Fenced, Returned, Restored, Moved, Resumed }

/** Whether the instances hold what they have written as blocks, of one number each, and use them later. */
lone sig Blocks {}

sig Instance {
  /** The definition as it was read less than 30 s ago. */
  var cached: lone Mark,
  var kept: lone State,
  var observed: lone State,
  var pending: lone Write,
  var held: lone Write,
  /** What its callers were answered. */
  var answered: set Number
}
/** Instances whose block is older than 30 s. */
var sig Old in Instance {}

/** What the counter contains; also its version. */
abstract sig State { next: Number, epoch: Epoch }
one sig Start extends State {}
/** Takes one number, for a call of its own instance or for one that another instance waits with. */
sig Write extends State { by: Instance, whose: Instance, base: State }
/** What an operator or an owner writes, or what a restore puts there. */
sig Move extends State {}
var sig Sent in Write {}
/** All states that the counter has had. */
var sig Landed in State {}
/** Writes that were sent before the suspension gave the counter a new version. */
var sig Early in Write {}

one sig Table { var counter: State, var definition: Mark, var phase: Phase }
/** Numbers that were answered twice. */
var sig Twice in Number {}
/** The number to which an owner has advanced the counter; and the same when 30 s have passed since then. */
var sig Target, Floor in Number {}
/** Whether a plain restore has happened. */
var lone sig Plain {}

fact writes {
  all w: Write | w.next = numbers/next[w.base.next] and w.epoch = w.base.epoch
  some Blocks implies all w: Write | w.whose = w.by
}

fun taken[w: Write]: Number { w.base.next }
pred behind[s, o: State] { epochs/lt[s.epoch, o.epoch] or numbers/lt[s.next, o.next] }
pred refuses[i: Instance, s: State] { Observed not in Dropped and some i.observed and behind[s, i.observed] }

// Steps

pred init {
  Table.counter = Start and Table.definition = Open and Table.phase = Before
  Instance.cached in Open and Instance.kept in Start and observed = kept and no pending and no held and no answered
  no Old and no Sent and Landed = Start and no Early and no Twice and no Target and no Floor and no Plain
}

pred sameTable { counter' = counter and definition' = definition and phase' = phase and Landed' = Landed and Plain' = Plain }
pred sameCounter { counter' = counter and Landed' = Landed and Plain' = Plain }
pred sameMemory { cached' = cached and kept' = kept and observed' = observed }
pred sameWork { pending' = pending and held' = held and Old' = Old and Sent' = Sent and Early' = Early }
pred sameAnswers { answered' = answered and Twice' = Twice }
pred sameTargets { Target' = Target and Floor' = Floor }

pred put[m: State] { counter' = Table -> m and Landed' = Landed + m }
pred answer[i: Instance, n: Number] { answered' = answered + i -> n and Twice' = Twice + (n & Instance.answered) }
/** What it has observed last may be from before what it has observed already. */
pred observe[i: Instance, s: State] {
  observed' = ((some i.observed and behind[s, i.observed]) implies observed else observed ++ i -> s)
}

pred refresh[i: Instance] {
  cached' = cached ++ i -> Table.definition and kept' = kept and observed' = observed
  sameTable and sameWork and sameAnswers and sameTargets
}
pred read[i: Instance] {
  no i.pending and not refuses[i, Table.counter]
  cached' = cached and kept' = kept ++ i -> Table.counter and observe[i, Table.counter]
  sameTable and sameWork and sameAnswers and sameTargets
}
pred mayAllocate[i: Instance] { i.cached = Open or Suspended in Dropped }
pred send[i: Instance, w: Write] {
  mayAllocate[i] and no i.pending and (some i.held implies no Blocks)
  w not in Sent and w.by = i and w.base = i.kept
  pending' = pending + i -> w and kept' = kept - i -> State
  Sent' = Sent + w and held' = held and Old' = Old and Early' = Early
  cached' = cached and observed' = observed
  sameTable and sameAnswers and sameTargets
}
/** The instance for which it was written has no write of its own meanwhile, and reads its answer at once: peers.als has what may come between. */
pred land[w: Write] {
  w in Sent - Landed and Table.counter = w.base
  put[w] and definition' = definition and phase' = phase and Plain' = Plain
  cached' = cached and kept' = kept
  let i = w.whose {
    (w.by != i and no i.pending and not (some i.observed and behind[w, i.observed])) implies {
      answer[i, taken[w]]
      Reported in Dropped implies observed' = observed else observe[i, w]
    } else (observed' = observed and sameAnswers)
  }
  sameWork and sameTargets
}
pred won[i: Instance] {
  some i.pending and i.pending in Landed
  cached' = cached and kept' = kept ++ i -> i.pending and observe[i, i.pending]
  pending' = pending - i -> Write and Sent' = Sent and Early' = Early
  some Blocks implies {
    held' = held ++ i -> i.pending and Old' = Old - i and sameAnswers
  } else {
    held' = held and Old' = Old
    i.pending.whose = i implies answer[i, taken[i.pending]] else sameAnswers
  }
  sameTable and sameTargets
}
pred giveUp[i: Instance] {
  some i.pending
  pending' = pending - i -> Write and held' = held and Old' = Old and Sent' = Sent and Early' = Early
  sameMemory and sameTable and sameAnswers and sameTargets
}
pred use[i: Instance] {
  some i.held and mayAllocate[i]
  (i in Old and BlockChecked not in Dropped) implies {
    Table.counter.epoch = i.held.epoch and numbers/gte[Table.counter.next, i.held.next]
  }
  answer[i, taken[i.held]]
  held' = held - i -> Write and Old' = Old - i and pending' = pending and Sent' = Sent and Early' = Early
  sameMemory and sameTable and sameTargets
}
/** 30 s pass: no call lasts so long. */
pred tick {
  no pending' and held' = held and Old' = held.Write and Sent' = Sent and Early' = Early
  no cached' and kept' = kept and observed' = observed
  Floor' = Floor + Target and Target' = Target
  sameCounter and definition' = definition and sameAnswers
  phase' = (Table.phase = Fenced implies Table -> Returned else phase)
}

/** A clock that is ahead of all epochs so far, or one that is behind them. */
pred renews[m: Move] {
  Risen in Dropped
    implies m.epoch = epochs/next[Table.counter.epoch]
    else all e: Landed.epoch | epochs/gt[m.epoch, e]
}
pred sameInstances { sameMemory and sameWork and sameAnswers }

pred advance[m: Move] {
  Table.phase = Before and m not in Landed and numbers/gt[m.next, Table.counter.next] and renews[m]
  put[m] and definition' = definition and phase' = phase and Plain' = Plain
  Target' = m.next and Floor' = Floor
  sameInstances
}
pred mark {
  Table.phase = Before and definition' = Table -> Closed and phase' = Table -> Marked
  sameCounter and sameInstances and sameTargets
}
pred fence[m: Move] {
  Table.phase = Marked and phase' = Table -> Fenced and definition' = definition and Plain' = Plain
  Renewed in Dropped implies sameCounter else {
    m not in Landed and m.next = Table.counter.next and renews[m] and put[m]
  }
  sameMemory and pending' = pending and held' = held and Old' = Old and Sent' = Sent and Early' = Sent
  sameAnswers and sameTargets
}
/** Without the rule Honored. */
pred returnAtOnce {
  Honored in Dropped and Table.phase = Fenced and phase' = Table -> Returned and definition' = definition
  sameCounter and sameInstances and sameTargets
}
pred restore[m: Move] {
  m not in Landed and m.next = Start.next and m.epoch = Start.epoch and put[m]
  Table.phase = Returned implies {
    phase' = Table -> Restored and Plain' = Plain
    definition' = (Arrives in Dropped implies Table -> Open else Table -> Closed)
  } else {
    Table.phase = Before and phase' = phase and definition' = Table -> Open and some Plain'
  }
  sameInstances and sameTargets
}
pred move[m: Move] {
  Table.phase = Restored and phase' = Table -> Moved and definition' = definition and Plain' = Plain
  m not in Landed and renews[m] and put[m]
  Advanced in Dropped implies m.next = Table.counter.next else all s: Landed | numbers/gte[m.next, s.next]
  sameInstances and sameTargets
}
pred resume {
  Table.phase = Moved and phase' = Table -> Resumed and definition' = Table -> Open
  sameCounter and sameInstances and sameTargets
}

pred idle { sameTable and sameMemory and sameWork and sameAnswers and sameTargets }

fact traces {
  init
  eventually always idle
  always (
    (idle and after idle)
    or (some i: Instance | refresh[i] or read[i] or won[i] or giveUp[i] or use[i] or some w: Write | send[i, w])
    or (some w: Write | land[w])
    or (some m: Move | advance[m] or fence[m] or restore[m] or move[m])
    or tick or mark or returnAtOnce or resume
  )
}

// Promises

/** No number is answered twice, unless somebody restores a table without the runbook. */
pred neverTwice { always (no Plain implies no Twice) }
/** An instance never allocates a number at or before one that it has allocated, whoever restores what. */
pred noStepBack {
  no Blocks implies always all i: Instance, w: Write {
    (w in Landed' - Landed and w.by = i and w = i.pending) implies all m: i.answered | numbers/gt[taken[w], m]
  }
}
/** Once a sequence is resumed after a restore by the runbook, no instance refuses it as rolled back. */
pred accepted {
  always ((no Plain and Table.phase = Resumed) implies
    all i: Instance | some i.observed implies not behind[Table.counter, i.observed])
}
/** No write that was computed before a suspension lands after it. */
pred fenced { always (Table.phase in Phase - Before - Marked implies no (Landed' - Landed) & Early) }
/** From 30 s after an advance on, only numbers at or beyond it are answered, unless somebody restores a table. */
pred obeyed {
  always ((no Plain and Table.phase = Before) implies
    all n: Instance.answered' - Instance.answered, f: Floor | numbers/gte[n, f])
}

pred promises { neverTwice and noStepBack and accepted and fenced and obeyed }

// The rules are enough

/** Both instances allocate before a restore by the runbook, and again after it. */
run Runbook {
  no Dropped and no Plain and no Blocks
  some disj i, j: Instance | eventually (some i.answered and Table.phase = Before and eventually (Table.phase = Resumed and some j.answered))
} for 3 but 6 State, exactly 2 Instance, 5 Number, 2 Write, 15..15 steps expect 1
check Promises { no Dropped implies promises } for 3 but 6 State, exactly 2 Instance, 4 Number, 8..8 steps expect 0

// Each rule is needed

run WithoutSuspended { Dropped = Suspended and no Blocks and not neverTwice } for 3 but 6 State, exactly 2 Instance, 2 Write, 12..12 steps expect 1
run WithoutRenewed { Dropped = Renewed and no Blocks and not fenced } for 3 but 6 State, exactly 2 Instance, 2 Write, 8..8 steps expect 1
run WithoutHonored { Dropped = Honored and no Blocks and not neverTwice } for 3 but 6 State, exactly 2 Instance, 2 Write, 12..12 steps expect 1
run WithoutArrives { Dropped = Arrives and no Blocks and not neverTwice } for 3 but 6 State, exactly 2 Instance, 2 Write, 13..13 steps expect 1
run WithoutAdvanced { Dropped = Advanced and no Blocks and not neverTwice } for 3 but 6 State, exactly 2 Instance, 2 Write, 15..15 steps expect 1
run WithoutRisen { Dropped = Risen and no Blocks and not accepted } for 3 but 7 State, exactly 2 Instance, 4 Move, 10..10 steps expect 1
run WithoutObserved { Dropped = Observed and no Blocks and not noStepBack } for 3 but 6 State, exactly 2 Instance, 9..9 steps expect 1
run WithoutReported { Dropped = Reported and not noStepBack } for 3 but 6 State, exactly 2 Instance, 9..9 steps expect 1
run WithoutBlockChecked { Dropped = BlockChecked and not obeyed } for 3 but 6 State, exactly 2 Instance, 9..9 steps expect 1
