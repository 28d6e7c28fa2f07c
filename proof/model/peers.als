/*
 * A request between two instances of Numera: one posts its calls in a row, the other one answers them in the
 * transaction of its own write. The row and the counter are in one partition.
 *
 * As in counter.als, what was sent lands at any later time or never, answers are lost, and an instance stops at any
 * time. That a write was lost is proved here as soon as its counter or its row has another version: counter.als has how
 * it is found out.
 */
module peers

open util/ordering[Number] as numbers

abstract sig Rule {}
one sig
  /** A request is answered in the transaction that takes the numbers. */
  OneTransaction,
  /** That transaction lands only on the version of the row in which the request was found. */
  RowConditional,
  /** A post lands only on the version of the row that the requesting instance knew. */
  PostConditional,
  /** A request contains only calls of which no earlier write can win any more. */
  PostedAfterProof,
  /** Its calls are written otherwise, or refused, only after a close that won. */
  ClosedFirst,
  /** Where the row is gone, the outcome of an open request is unknown. */
  UnknownWhenGone
extends Rule {}
sig Dropped in Rule {}

sig Number {}

abstract sig Instance {
  var kept: lone State,
  /** The write whose outcome is open. */
  var pending: lone Write
}
one sig Requester, Writer extends Instance {}

/** A request for one number. */
sig Call { at: Instance, var number: lone Number }
/** Calls that were refused, with the answer that nothing was consumed. */
var sig Untouched in Call {}
var sig Unknown in Call {}

/** What the counter contains, and its version. */
abstract sig State { next: Number }
one sig Start extends State {}
/** Also the version of the row of the request that it answers. */
sig Write extends State {
  by: Instance,
  base: State,
  answered: lone Post,
  shares: Call -> lone Number
}
/** The other versions of the row: closed by its insertion, opened by a post, closed again. */
sig Insertion {}
sig Post { on: Insertion + Close + Write, asks: set Call }
sig Close { of: Post }

var sig Sent in Write + Post + Close {}
/** What has won. No instance reads this. */
var sig Landed in Write + Post + Close + Insertion {}

one sig Table { var counter: State, var row: lone Insertion + Post + Close + Write }
/** The version of the row that the requester knows, and its request that may still be answered. */
one sig Memory { var known: lone Insertion + Post + Close + Write, var request: lone Post }

fun calls[w: Write]: set Call { w.shares.Number }
fun asked: set Call { Memory.request.asks }
fun waiting[i: Instance]: set Call { at.i - number.Number - Untouched - Unknown - calls[i.pending] - asked }

fact shape {
  Start.next = numbers/first
  all w: Write {
    some calls[w] and calls[w] = (calls[w] & at.(w.by)) + w.answered.asks
    w.shares[Call] = { n: Number | numbers/gte[n, w.base.next] and numbers/lt[n, w.next] }
    all disj a, b: calls[w] | w.shares[a] != w.shares[b]
  }
  all p: Post | some p.asks and p.asks.at = Requester
}

// Steps

pred init {
  Table.counter = Start and Table.row in Insertion and known = Memory -> Table.row and Landed = Table.row
  kept = Instance -> Start and no Memory.request
  no pending and no number and no Untouched and no Unknown and no Sent
}

pred sameTable { counter' = counter and row' = row and Landed' = Landed }
pred sameCalls { number' = number and Untouched' = Untouched and Unknown' = Unknown }
pred sameMemory { known' = known and request' = request }
pred sameWork { kept' = kept and pending' = pending }

pred read[i: Instance] {
  no i.pending and kept' = kept ++ i -> Table.counter and pending' = pending
  sameTable and sameCalls and sameMemory and Sent' = Sent
}
/** Answers a request that was found open, perhaps some time ago. The requester may answer its own one. */
pred send[i: Instance, w: Write] {
  no i.pending and w not in Sent and w.by = i and w.base = i.kept
  w.answered in Landed
  i = Requester implies w.answered in Memory.request
  calls[w] & at.i - w.answered.asks in waiting[i]
  pending' = pending + i -> w and kept' = kept - i -> State
  Sent' = Sent + w
  sameTable and sameCalls and sameMemory
}
pred canLand[w: Write] {
  Table.counter = w.base
  (some w.answered and no Dropped & (RowConditional + OneTransaction))
    implies Table.row = w.answered
}
pred land[w: Write] {
  w in Sent and canLand[w]
  counter' = Table -> w and Landed' = Landed + w
  (some w.answered and Table.row = w.answered and OneTransaction not in Dropped) implies row' = Table -> w else row' = row
  sameCalls and sameMemory and sameWork and Sent' = Sent
}
/** Without the rule OneTransaction, the row is answered some time after the numbers were taken. */
pred answerApart[w: Write] {
  OneTransaction in Dropped and w in Landed and some w.answered and Table.row = w.answered
  row' = Table -> w and counter' = counter and Landed' = Landed
  sameCalls and sameMemory and sameWork and Sent' = Sent
}
/** What a request asked for is answered by its row alone. */
pred won[i: Instance] {
  some i.pending and i.pending in Landed
  let own = calls[i.pending] - i.pending.answered.asks | number' = number + (own <: i.pending.shares)
  kept' = kept ++ i -> i.pending and pending' = pending - i -> Write
  Untouched' = Untouched and Unknown' = Unknown
  sameTable and sameMemory and Sent' = Sent
}
pred lost[i: Instance] {
  some i.pending and i.pending not in Landed and not canLand[i.pending]
  pending' = pending - i -> Write and kept' = kept
  sameTable and sameCalls and sameMemory and Sent' = Sent
}
/** At its deadline, or with its process, a write ends with an unknown outcome. A request is not part of it. */
pred giveUp[i: Instance] {
  some i.pending
  Unknown' = Unknown + (calls[i.pending] & at.i - i.pending.answered.asks)
  pending' = pending - i -> Write and kept' = kept and number' = number and Untouched' = Untouched
  sameTable and sameMemory and Sent' = Sent
}

pred insert[n: Insertion] {
  n not in Landed and no Memory.request and no Table.row
  row' = Table -> n and Landed' = Landed + n and counter' = counter
  known' = Memory -> n and request' = request
  sameCalls and sameWork and Sent' = Sent
}
pred post[p: Post] {
  p not in Sent and no Memory.request and p.on = Memory.known
  PostedAfterProof in Dropped
    implies p.asks in waiting[Requester] + calls[Requester.pending]
    else (p.asks in waiting[Requester] and no Requester.pending)
  request' = Memory -> p and known' = known and Sent' = Sent + p
  sameTable and sameCalls and sameWork
}
/** At any time, and again if it may. */
pred landPost[p: Post] {
  p in Sent and some Table.row
  PostConditional not in Dropped implies Table.row = p.on
  row' = Table -> p and Landed' = Landed + p and counter' = counter
  sameCalls and sameMemory and sameWork and Sent' = Sent
}
pred close[c: Close] {
  c not in Sent and some Memory.request and c.of = Memory.request and Memory.known = Memory.request
  Sent' = Sent + c
  sameTable and sameCalls and sameMemory and sameWork
}
pred landClose[c: Close] {
  c in Sent and Table.row = c.of
  row' = Table -> c and Landed' = Landed + c and counter' = counter
  sameCalls and sameMemory and sameWork and Sent' = Sent
}
/** Other instances remove a row that has not changed for a minute. */
pred remove {
  some Table.row and no row' and counter' = counter and Landed' = Landed
  sameCalls and sameMemory and sameWork and Sent' = Sent
}
/** Reads the row, as after each post and close, whatever its answer was. */
pred look {
  known' = (some Table.row implies Memory -> Table.row else none -> none)
  let p = Memory.request, r = Table.row {
    (some p and some r & Write and (r & Write).answered = p) implies {
      number' = number + (p.asks <: (r & Write).shares) and no request'
      Untouched' = Untouched and Unknown' = Unknown
    } else (some p and no r) implies {
      no request' and number' = number and Untouched' = Untouched
      Unknown' = (UnknownWhenGone in Dropped implies Unknown else Unknown + p.asks)
    } else (some p and some r & Close and (r & Close).of = p) implies {
      no request' and sameCalls
    } else (request' = request and sameCalls)
  }
  sameTable and sameWork and Sent' = Sent
}
/** Without the rule ClosedFirst: the deadline of a request. */
pred abandon {
  ClosedFirst in Dropped and some Memory.request and no request' and known' = known
  sameTable and sameCalls and sameWork and Sent' = Sent
}
/** The deadline of a call that is part of no open write and no request. */
pred refuse[c: Call] {
  c in waiting[c.at] and Untouched' = Untouched + c and number' = number and Unknown' = Unknown
  sameTable and sameMemory and sameWork and Sent' = Sent
}

pred idle { sameTable and sameCalls and sameMemory and sameWork and Sent' = Sent }

fact traces {
  init
  eventually always idle
  always (
    (idle and after idle)
    or (some i: Instance | read[i] or won[i] or lost[i] or giveUp[i] or some w: Write | send[i, w])
    or (some w: Write | land[w] or answerApart[w])
    or (some n: Insertion | insert[n])
    or (some p: Post | post[p] or landPost[p])
    or (some c: Close | close[c] or landClose[c])
    or (some c: Call | refuse[c])
    or look or remove or abandon
  )
}

// Promises

pred neverTwice { always all disj a, b: number.Number | a.number != b.number }
/** Each number that was answered was taken for its call. */
pred trueAnswers { always all c: number.Number | c.number in Landed.shares[c] }
pred nothingWasConsumed { always all c: Untouched | c not in calls[Landed] }
/** Numbers are taken for a call once, unless its caller was answered that the outcome is unknown. */
pred takenOnce { always all disj v, w: Landed & Write | calls[v] & calls[w] in Unknown }

pred promises { neverTwice and trueAnswers and nothingWasConsumed and takenOnce }

// The rules are enough

/** The writer answers a request beside a call of its own, after a post that landed late. */
run Answered {
  no Dropped
  eventually (some w: Landed & Write | w.by = Writer and some w.answered and some calls[w] & at.Writer and w.answered.asks in number.Number)
} for 3 but 2 Write, 1 Insertion, 1 Post, 1 Close, 4 Number, 9..9 steps expect 1
/** A request is closed, and its call is refused. */
run Closed { no Dropped and eventually some Landed & Close and eventually some Untouched } for 3 but 2 Write, 1 Insertion, 1 Post, 1 Close, 4 Number, 9..9 steps expect 1
check Promises { no Dropped implies promises } for 3 but 2 Write, 1 Insertion, 1 Post, 1 Close, 4 Number, 11..11 steps expect 0
check PromisesOfTwoRequests { no Dropped implies promises } for 3 but 3 Write, 2 Insertion, 2 Post, 1 Close, 4 Number, 9..9 steps expect 0

// Each rule is needed

run WithoutOneTransaction { Dropped = OneTransaction and not nothingWasConsumed } for 3 but 2 Write, 1 Insertion, 1 Post, 1 Close, 4 Number, 11..11 steps expect 1
run WithoutRowConditional { Dropped = RowConditional and not nothingWasConsumed } for 3 but 2 Write, 1 Insertion, 1 Post, 1 Close, 4 Number, 11..11 steps expect 1
run WithoutPostConditional { Dropped = PostConditional and not takenOnce } for 3 but 2 Write, 1 Insertion, 1 Post, 1 Close, 4 Number, 11..11 steps expect 1
run WithoutPostedAfterProof { Dropped = PostedAfterProof and not takenOnce } for 3 but 2 Write, 1 Insertion, 1 Post, 1 Close, 4 Number, 11..11 steps expect 1
run WithoutClosedFirst { Dropped = ClosedFirst and not nothingWasConsumed } for 3 but 2 Write, 1 Insertion, 1 Post, 1 Close, 4 Number, 11..11 steps expect 1
run WithoutUnknownWhenGone { Dropped = UnknownWhenGone and not nothingWasConsumed } for 3 but 2 Write, 1 Insertion, 1 Post, 1 Close, 4 Number, 11..11 steps expect 1
