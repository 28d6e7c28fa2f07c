import {RANGE_IS_USED_UP} from './terms.ts';
import {day, moment, sentence} from './words.ts';

/** A problem in an answer of the service, or in a row of a list. */
export interface Refusal {
  /** The type, such as `urn:problem-type:numera:key-void`; only its last part for a problem of a row or of this page. */
  readonly type: string;
  readonly title?: string;
  readonly detail?: string;
  readonly [member: string]: any;
}

/** The text for people: what is wrong, and what to do. */
export interface Said {
  readonly title: string;
  readonly advice: string;
}

type Sentence = string | ((refusal: Refusal) => string);

/** The calls that send a list. */
const SENDING = ['UploadBatch', 'ImportNumbers'];
const OPERATOR = 'Contact the operator of the service.';
const AGAIN = 'Try again in a moment.';

/** The page's own words for each type. The service's detail is for programs, and appears only under "Details for support". */
const SAID: Readonly<Record<string, readonly [title: Sentence, advice: Sentence]>> = {
  'invalid-request': [({call}) => SENDING.includes(call) ? 'Nothing was sent' : 'Something entered is not valid', refusal => reasonsOf(refusal).map(each => `${placeOf(each)} ${each.reason}`).join('; ')],
  'key-required': ['A key is required', 'This sequence allocates numbers only under a key. Enter a name that you know before the number, such as cart-9001.'],
  'key-refused': ['This sequence has no keys', 'Leave the key empty.'],
  'rights-missing': ['Your rights do not suffice', ({needs}) => `${needs ? `One of these is needed: ${[needs].flat().join(', ')}. ` : ''}Contact whoever grants your rights.`],
  'unknown-sequence': ['Sequence not found', 'No sequence has this scope and name. Check the spelling: capital letters count.'],
  'unknown-batch': ['Upload not found', 'Uploads are kept for a limited time. Their numbers stay in the ledger.'],
  'unknown-import': ['Import not found', 'Imports are kept for a limited time. Their numbers stay in the ledger.'],
  'unknown-key': ['Key not found', 'No number of this sequence was allocated under this key.'],
  'unknown-message': ['Message not found', 'It is gone, or another user is working on it. Refresh the list in a moment.'],
  'exhausted': ['Not enough numbers left', ({left}) => `${Number(left) > 0 ? `Only ${left} ${Number(left) === 1 ? 'is' : 'are'} left, fewer than requested` : RANGE_IS_USED_UP}. The owner can raise the largest number in the definition.`],
  'immutable-field': ['Fixed since the first number', ({fields}) => `${fields ? `${[fields].flat().join(', ')} can no longer be changed this way. ` : ''}Undo this change, or create another sequence.`],
  'texts-could-repeat': ['Two numbers could have the same text', ({examples, formats}) => examples
    ? `${examples[0]?.text} would appear on ${examples.map(({date}: {date: string}) => day(date)).join(' and on ')}. Add the period to the format, such as {yyyy}.`
    : `${formats ? `${formats[0]} and ${formats[1]} can produce the same text. ` : ''}Use another prefix or another fixed character.`],
  'texts-too-long': ['A text would be too long', ({number, text}) => `${text ? `Number ${number} would be ${text}. ` : ''}Shorten the format, lower the largest number, or raise the maximum length.`],
  'too-many-formats': ['Too many formats', 'This sequence keeps all its earlier formats and has no room for another one. Return to an earlier format, or create another sequence.'],
  'date-order': ['The date is too early', ({lastDate}) => `${lastDate ? `The last date used is ${day(lastDate)}. ` : ''}Choose that date or a later one.`],
  'number-taken': ['The number is taken', ({key, line}) => key ? `It belongs to the key ${key}.` : line ? `Line ${line} of the file has it, too.` : 'The sequence may have allocated it already.'],
  'key-void': ['The numbers of this key are voided', 'Voided numbers are never used again. For new numbers, use another key.'],
  'status-final': ['The status is final', 'Voided numbers stay voided, with the reason that was recorded first.'],
  'not-for-guarantee': [({guarantee}) => `Not available for ${guarantee ?? 'such'} sequences`, 'It needs a ledger, which this kind of sequence does not keep.'],
  'retired': ['The sequence is retired', 'It allocates no new numbers. Revive it under Lifecycle to continue.'],
  'length-required': ['The request was incomplete', `Something between this page and the service changed it. ${OPERATOR}`],
  'precondition-failed': ['Someone else changed it', 'It is no longer as this page shows it, or its name is in use already. Reload the page, check, and repeat your change.'],
  'too-large': ['Too large', 'Split it into smaller parts, at most 100,000 rows each.'],
  'unsupported-media-type': ['Unsupported kind of file', 'Save it as CSV in UTF-8.'],
  'key-reused': ['The key has other numbers', 'Each key keeps its numbers, count and period forever. Correct the row or the request, or use another key.'],
  'text-unreadable': ['The text does not belong to this sequence', 'None of its formats produces it. Check it for typing errors.'],
  'precondition-required': ['This page is out of date', 'Reload it and try again.'],
  'contention': ['The sequence is busy', `Too many requests arrived at once. Nothing was consumed. ${AGAIN}`],
  'outcome-unknown': ['The result is unknown', 'Storage did not confirm the change in time. Check whether it is there before you repeat it; with the same key, repeating is safe.'],
  'overloaded': ['The service is busy', AGAIN],
  'suspended': ['The sequence is suspended', ({suspendedAt, reason}) => `${suspendedAt ? `${sentence(`Since ${moment(suspendedAt)}${reason ? `: ${reason}` : ''}`)} ` : ''}It allocates no new numbers until it is resumed.`],
  'rolled-back': ['Storage is older than expected', `It seems that an old copy was restored, or a table was lost. The sequence allocates nothing until it is advanced beyond every number in use. ${OPERATOR}`],
  'storage-unavailable': ['Storage is unavailable', `${AGAIN} If it continues, contact the operator of the service.`],
  'clock-behind': ['The service\'s clock is behind', AGAIN],
  'needs-newer-version': ['The service is out of date', `This sequence needs a newer version. ${OPERATOR}`],
  'misconfigured': ['The service has an invalid setting', OPERATOR],
  // Problems that this page detects.
  'no-answer': ['No answer', 'Check that you are online and that the service is running, then try again.'],
  'unanswered': ['Whether it was done is not known', refusal => `The answer was lost. ${repeating(refusal)}`],
  'http': [({status}) => status === 403 ? 'Access denied before the service (403)' : `Unexpected answer (${status})`,
    ({status}) => `It came from something between this page and the service. ${status === 403 ? 'Ask the operator whether your network or your account may use it.' : `${AGAIN} If it continues, contact the operator.`}`],
  'page': ['This page failed', 'Reload it and try again.'],
  'no-key': ['Sign in to continue', 'The service requires a key.'],
  'wrong-key': ['Wrong key', 'The service does not know this key. Check that you copied all of it, or ask the operator for another one.'],
  'key-lacks-permission': ['This key lacks permission', ({does, call}) => `It may not ${does}. Sign in with another key, or ask the operator for one that opens ${call}.`],
};

/** Returns the effect of repeating a call whose answer was lost. */
function repeating({call, isKeyed}: Refusal): string {
  return call === 'Allocate' ? isKeyed ? 'Repeating is safe: the same key gets the same number.' : 'Repeating allocates other numbers: this sequence keeps no keys.'
    : call === 'CloseDates' ? 'Look at the recorded results first: repeating records another one.'
    : call === 'AcceptGap' ? 'Look at the gaps first.'
    : call === 'PutDefinition' ? 'Look first whether the sequence is there.'
    : call === 'ChangeStatus' ? 'Repeating is safe: the status and the reason that were recorded first stay.'
    : 'Repeating is safe: it is done at most once.';
}

export interface Reason {
  readonly field: string;
  readonly reason: string;
}

/** Returns the name of a wrong value for people: `Line 15:` for a line of a file. */
export function placeOf({field}: Reason): string {
  return /^line \d+$/.test(field) ? `L${field.slice(1)}:` : field;
}

/** Returns the wrong values and the reasons. Only an invalid request has any. */
export function reasonsOf(refusal: Refusal): readonly Reason[] {
  return Array.isArray(refusal['errors']) ? refusal['errors'] : [];
}

/** Returns the text for a problem. For a type that only a newer service knows, this is the service's own text. */
export function saidOf(refusal: Refusal): Said {
  const [title, advice] = SAID[refusal.type.split(':').pop()!] ?? [refusal.title ?? 'The service refused it', refusal.detail ?? ''];
  const said = (sentence: Sentence) => typeof sentence === 'string' ? sentence : sentence(refusal);
  return {title: said(title), advice: said(advice) || refusal.detail || ''};
}

/** Returns the text for a row of a list. */
export function inOneLine(refusal: Refusal): string {
  const {title, advice} = saidOf(refusal);
  return `${title}. ${advice}`;
}
