/*
 * One counter of Numera, its ledger by key, and the instances that write to it.
 *
 * Storage and network are as hostile as the contract allows: a write that was sent lands at any later time, or never,
 * and an intermediary may deliver it again; an answer is won, lost or unknown; an instance stops at any time.
 *
 * Each Rule can be dropped. With all rules every check holds; without one, the `run` of its name finds a history that
 * breaks a promise.
 */
module counter

open util/ordering[Number] as numbers
open util/ordering[Write] as writes

abstract sig Rule {}
one sig
  /** A write lands only on the version that it was computed from. */
  Conditional,
  /** Version and value come from one read. */
  OneRead,
  /** No caller gets a number before its write is known to have won. */
  WonFirst,
  /** A group whose write may still win keeps its members under its operation id. */
  Frozen,
  /** A read after a write that was not answered as won looks for its operation id. */
  LookForId,
  /** The absence of an id proves a loss only while the list reaches back to the state that the write started from. */
  ListReaches,
  /** A refusal alone proves nothing: the counter is read after it. */
  ReadAfterRefusal,
  /** The row of a key proves a write only if it has the operation id of that write. */
  OwnRow,
  /** A key row is inserted, never replaced. */
  Inserted,
  /** The counter and the key rows change in one transaction. */
  Transaction,
  /** Equal keys of one group share one row. */
  SharedKey
extends Rule {}
sig Dropped in Rule {}

sig Number, Key {}

sig Instance {
  /** The state that the next write is computed from, of the last read or the last won write. */
  var kept: lone State,
  /** The version of that state. */
  var version: lone State,
  /** The write of its frozen group, whose outcome is open. */
  var pending: lone Write
}
/** Instances whose pending write was answered by a refusal or a timeout. */
var sig Answered in Instance {}
/** Instances whose pending write may have timed out. */
var sig Doubtful in Instance {}

/** A request for one number. */
sig Call { at: Instance, key: lone Key, var number: lone Number }
var sig Requested in Call {}
/** Calls that were refused, with the answer that nothing was consumed. */
var sig Untouched in Call {}
/** Calls whose result the caller does not know: `outcome-unknown`, or no answer at all. */
var sig Unknown in Call {}
/** Calls of a write that was left without proof. */
var sig Unproved in Call {}

/** What the counter entity contains; also its version, since no two writes have the same one. */
abstract sig State {
  next: Number,
  op: State        // the operation id: the first write that had it
}
one sig Start extends State {}
sig Write extends State {
  by: Instance,
  base: State,     // the version on which it is conditioned
  source: State,   // the value that it was computed from
  shares: Call -> lone Number
}
var sig Sent in Write {}
/** Writes that have won. No instance reads this. */
var sig Landed in Write {}

one sig Table { var counter: State, var row: Key -> lone Write }

fun calls[w: Write]: set Call { w.shares.Number }
fun keys[w: Write]: set Key { calls[w].key }
fun stored[k: Key]: set Number { Table.row[k].shares[key.k] }
fun done: set Call { number.Number + Untouched + Unknown }
fun waiting[i: Instance]: set Call { at.i - done - calls[i.pending] }
/** The newest operation ids. The counter keeps eight; two let other writes push one out within a short history. */
fun ids[s: State]: set State { s.op + s.source.op }

fact writes {
  Start.next = numbers/first and Start.op = Start
  all w: Write {
    some calls[w]
    calls[w].at = w.by
    w.shares[Call] = { n: Number | numbers/gte[n, w.source.next] and numbers/lt[n, w.next] }
    all disj a, b: calls[w] | w.shares[a] = w.shares[b] iff sameKey[a, b] and SharedKey not in Dropped
    OneRead not in Dropped implies w.base = w.source
    }
}
pred sameKey[a, b: Call] { some a.key & b.key }

// Steps

pred init {
  Table.counter = Start and no row
  Instance.kept in Start and version = kept and no pending and no Answered and no Doubtful
  no number and no Requested and no Untouched and no Unknown and no Unproved
  no Sent and no Landed
}

pred sameTable { counter' = counter and row' = row and Landed' = Landed }
pred sameCalls { number' = number and Untouched' = Untouched and Unknown' = Unknown and Unproved' = Unproved }
pred sameKept { kept' = kept and version' = version }
pred samePending { pending' = pending and Answered' = Answered and Doubtful' = Doubtful }
pred nothingSent { Sent' = Sent and Requested' = Requested }

pred keep[i: Instance, s: lone State] { kept' = kept ++ i -> s and version' = version ++ i -> s }
pred forget[i: Instance] { kept' = kept - i -> State and version' = version - i -> State }
pred thaw[i: Instance] { pending' = pending - i -> Write and Answered' = Answered - i and Doubtful' = Doubtful - i }
pred settle[w: Write] {
  number' = number + w.shares
  Untouched' = Untouched and Unknown' = Unknown and Unproved' = Unproved
}

/** Without the rule OneRead, a read may take over the value alone, or the version alone. */
pred read[i: Instance] {
  no i.pending
  OneRead in Dropped
    implies (kept' = kept ++ i -> Table.counter and version' = version
      or version' = version ++ i -> Table.counter and kept' = kept)
    else keep[i, Table.counter]
  sameTable and sameCalls and samePending and nothingSent
}

/** Writes are sent in the order of their names, so that no history is searched twice. */
pred isNext[w: Write] { w not in Sent and prevs[w] in Sent }

/** Plans a write for some of the calls that wait, and sends it. */
pred send[i: Instance, w: Write] {
  no i.pending
  isNext[w] and w.op = w and w.by = i
  w.source = i.kept and w.base = i.version
  calls[w] in waiting[i]
  pending' = pending + i -> w and Answered' = Answered and Doubtful' = Doubtful
  forget[i]
  Sent' = Sent + w and Requested' = Requested + calls[w]
  sameTable and sameCalls
}

pred canLand[w: Write] {
  Conditional not in Dropped implies Table.counter = w.base
  Inserted not in Dropped implies no Table.row[keys[w]]
}
/** A request that was sent arrives, at any time. */
pred land[w: Write] {
  w in Sent and canLand[w]
  counter' = Table -> w and Landed' = Landed + w
  row' = (Transaction in Dropped implies row else row - Table -> keys[w] -> Write + Table -> keys[w] -> w)
  sameCalls and sameKept and samePending and nothingSent
}
/** Without the rule Transaction, a key row is inserted some time after the counter was written. */
pred landRowApart[w: Write, k: Key] {
  Transaction in Dropped
  w in Landed and k in keys[w] and no Table.row[k]
  row' = row + Table -> k -> w
  counter' = counter and Landed' = Landed
  sameCalls and sameKept and samePending and nothingSent
}

pred awaits[i: Instance] { some i.pending and i not in Answered }
pred onWon[i: Instance] {
  awaits[i] and i.pending in Landed
  settle[i.pending] and keep[i, i.pending] and thaw[i]
  sameTable and nothingSent
}
/** A copy of the write was refused, perhaps one that arrived after the write had won. */
pred onRefused[i: Instance] {
  awaits[i] and i.pending in Sent and not canLand[i.pending]
  Answered' = Answered + i and Doubtful' = Doubtful and pending' = pending
  sameTable and sameCalls and sameKept and nothingSent
}
/** Without the rule WonFirst, a write without an answer counts as won. */
pred onTimeout[i: Instance] {
  awaits[i]
  WonFirst in Dropped
    implies (settle[i.pending] and thaw[i])
    else (sameCalls and Answered' = Answered + i and Doubtful' = Doubtful + i and pending' = pending)
  sameTable and sameKept and nothingSent
}

/** The write has no proof of its outcome: its calls go on, under another id. */
pred leaveOpen[i: Instance] {
  thaw[i] and Unproved' = Unproved + calls[i.pending]
  number' = number and Untouched' = Untouched and Unknown' = Unknown
}
/** The calls whose key is in the ledger get its numbers; the others wait again. */
pred answerStored[i: Instance] {
  thaw[i]
  number' = number + { c: calls[i.pending], n: stored[c.key] }
  Untouched' = Untouched and Unknown' = Unknown and Unproved' = Unproved
}

/** Reads the counter, and the key rows where they decide, after a write that was not answered as won. */
pred resolve[i: Instance] {
  i in Answered
  let w = i.pending, present = Table.counter, found = Table.row[keys[w]] {
    LookForId not in Dropped and w.op in ids[present] implies {
      settle[w] and thaw[i] and keep[i, present]
    } else present = w.base and no found implies {
      // The same write again.
      Answered' = Answered - i and Doubtful' = Doubtful and pending' = pending
      sameCalls and sameKept
    } else {
      keep[i, present]
      (present = w.base or (i in Doubtful and some keys[w] and not provedLost[w])) implies {
        (OwnRow in Dropped implies some found else w.op in found.op)
          implies (settle[w] and thaw[i])
          else answerStored[i]
      } else provedLost[w] implies {
        thaw[i] and sameCalls
      } else i not in Doubtful implies {
        leaveOpen[i]
      } else {
        thaw[i] and Unknown' = Unknown + calls[w]
        number' = number and Untouched' = Untouched and Unproved' = Unproved
      }
    }
  }
  sameTable and nothingSent
}
pred provedLost[w: Write] { ListReaches in Dropped or w.source.op in ids[Table.counter] }

/** Without the rule Frozen: another call joins, under the same operation id. */
pred regroup[i: Instance, w: Write] {
  Frozen in Dropped and i in Answered and i.pending.op not in ids[Table.counter]
  isNext[w] and w.by = i and w.op = i.pending.op
  w.source = Table.counter and w.base = Table.counter
  calls[i.pending] in calls[w] and calls[w] in waiting[i] + calls[i.pending]
  pending' = pending ++ i -> w and Answered' = Answered - i and Doubtful' = Doubtful
  Sent' = Sent + w and Requested' = Requested + calls[w]
  sameTable and sameCalls and sameKept
}

/** The deadline of a call that is part of no open write. */
pred refuse[c: Call] {
  c in Requested & waiting[c.at]
  c in Unproved
    implies (Unknown' = Unknown + c and Untouched' = Untouched)
    else (Untouched' = Untouched + c and Unknown' = Unknown)
  number' = number and Unproved' = Unproved
  sameTable and sameKept and samePending and nothingSent
}
/** Without the rule ReadAfterRefusal: the deadline of calls whose write was refused. */
pred refuseAtOnce[i: Instance] {
  ReadAfterRefusal in Dropped and i in Answered - Doubtful
  Untouched' = Untouched + calls[i.pending] and thaw[i]
  number' = number and Unknown' = Unknown and Unproved' = Unproved
  sameTable and sameKept and nothingSent
}
/** The deadline of a frozen group, or the end of the process. */
pred stop[i: Instance] {
  some i.pending
  Unknown' = Unknown + calls[i.pending] and thaw[i] and forget[i]
  number' = number and Untouched' = Untouched and Unproved' = Unproved
  sameTable and nothingSent
}

pred idle { sameTable and sameCalls and sameKept and samePending and nothingSent }

fact traces {
  init
  eventually always idle
  always (
    (idle and after idle)
    or (some i: Instance {
      read[i] or onWon[i] or onRefused[i] or onTimeout[i] or resolve[i] or refuseAtOnce[i] or stop[i]
      or (some w: Write | send[i, w] or regroup[i, w])
    })
    or (some w: Write | land[w] or (some k: Key | landRowApart[w, k]))
    or (some c: Call | refuse[c])
  )
}

// Promises

/** Two calls have the same number only if they have the same key. */
pred neverTwice { always all disj a, b: number.Number | a.number = b.number implies sameKey[a, b] }
pred oneKeyOneNumber { always all a, b: number.Number | sameKey[a, b] implies a.number = b.number }
/** Each number that was answered is in a write that has won, and under its key in the ledger. */
pred trueAnswers {
  always all c: number.Number {
    c.number in Landed.shares[Call]
    some c.key implies c.number = stored[c.key]
  }
}
/** Where each call has a key, the ledger contains all numbers before the next one. */
pred gapless {
  (all c: Call | some c.key) implies always all n: Number | numbers/lt[n, Table.counter.next] implies n in stored[Key]
}
pred nothingWasConsumed { always all c: Untouched | c not in calls[Landed] }
/** A call that is requested after another was answered gets a later number. Repeats of a key are none. */
pred ordered {
  all disj a, b: Call | (no d: Call - b | sameKey[b, d]) implies
    always (some a.number and b not in Requested implies always (some b.number implies numbers/lt[a.number, b.number]))
}

pred promises { neverTwice and oneKeyOneNumber and trueAnswers and gapless and nothingWasConsumed and ordered }

// The rules are enough

/** A write lands after its timeout, and its group finds it; then the other instance gets a number. */
run Late {
  no Dropped
  eventually (some i: Instance | some i.pending and i in Doubtful and i.pending not in Landed and eventually i.pending in Landed)
  eventually #number.Number.at = 2
} for 3 but 4 State, exactly 2 Instance, 5 Number, 11..11 steps expect 1
/** A call is refused, and nothing was consumed. */
run Refused { no Dropped and eventually some Untouched } for 3 but 4 State, exactly 2 Instance, 5 Number, 11..11 steps expect 1
check Promises { no Dropped implies promises } for 3 but 4 State, exactly 2 Instance, 5 Number, 9..9 steps expect 0

// Each rule is needed

run WithoutConditional { Dropped = Conditional and not neverTwice } for 3 but 4 State, exactly 2 Instance, 5 Number, 11..11 steps expect 1
run WithoutOneRead { Dropped = OneRead and not neverTwice } for 3 but 4 State, exactly 2 Instance, 5 Number, 11..11 steps expect 1
run WithoutWonFirst { Dropped = WonFirst and not neverTwice } for 3 but 4 State, exactly 2 Instance, 5 Number, 11..11 steps expect 1
run WithoutFrozen { Dropped = Frozen and not neverTwice } for 3 but 4 State, exactly 2 Instance, 5 Number, 11..11 steps expect 1
run WithoutLookForId { Dropped = LookForId and not nothingWasConsumed } for 3 but 4 State, exactly 2 Instance, 5 Number, 11..11 steps expect 1
run WithoutListReaches { Dropped = ListReaches and not nothingWasConsumed } for 3 but 4 State, exactly 2 Instance, 5 Number, 12..12 steps expect 1
run WithoutReadAfterRefusal { Dropped = ReadAfterRefusal and not nothingWasConsumed } for 3 but 4 State, exactly 2 Instance, 5 Number, 11..11 steps expect 1
run WithoutOwnRow { Dropped = OwnRow and not neverTwice } for 3 but 4 State, exactly 2 Instance, 4 Call, 5 Number, 12..12 steps expect 1
run WithoutInserted { Dropped = Inserted and not oneKeyOneNumber } for 3 but 4 State, exactly 2 Instance, 5 Number, 11..11 steps expect 1
run WithoutTransaction { Dropped = Transaction and not oneKeyOneNumber } for 3 but 4 State, exactly 2 Instance, 5 Number, 11..11 steps expect 1
run WithoutSharedKey { Dropped = SharedKey and not oneKeyOneNumber } for 3 but 4 State, exactly 2 Instance, 5 Number, 11..11 steps expect 1
