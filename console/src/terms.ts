/** The words that more than one source prints. Each has its only place here, so that one thing has one name in all views. */

/* The labels of a sequence. */
export const SEQUENCE = 'Sequence';
export const SCOPE = 'Scope';
export const NAME = 'Name';
export const GUARANTEE = 'Guarantee';
export const CONTACT = 'Contact';
export const DEFINITION = 'Definition';
export const NEXT_NUMBER = 'Next number';
export const USED = 'Used';
export const LEFT = 'Left';
export const LAST_CHANGE = 'Last change';
export const PERIOD = 'Period';
export const PERIODS = 'Periods';

/* The labels of a number, an entry or a row. */
export const NUMBER = 'Number';
export const NUMBERS = 'Numbers';
export const TEXT = 'Text';
export const KEY = 'Key';
export const KEYS = 'Keys';
export const DATE = 'Date';
export const DOCUMENT_DATE = 'Document date';
export const DOCUMENT_DATES = 'Document dates';
export const STATUS = 'Status';
export const REASON = 'Reason';
export const RESULT = 'Result';
export const LINE = 'Line';
export const ROWS = 'Rows';
export const HOW_MANY = 'How many';
export const FIRST_DAY = 'First day';
export const LAST_DAY = 'Last day';
export const GAPS = 'Gaps';
export const NUMBERS_IN_NO_ROW = 'Numbers in no row';
export const ALL_NUMBERS = 'All numbers';

/* The labels of a change. */
export const ALLOCATED = 'Allocated';
export const RESERVED = 'Reserved';
export const VOIDED = 'Voided';
export const SKIPPED = 'Skipped';
export const IMPORTED = 'Imported';
export const SENT = 'Sent';
export const BEFORE = 'Before';
export const AFTER = 'After';
export const BEFORE_AND_AFTER = 'Before and after';
export const WHAT = 'What';
export const WHO = 'Who';
export const WHY = 'Why';
export const ACTION = 'Action';
export const UNKNOWN = 'unknown';
export const UNREADABLE = 'Unreadable';
export const REFUSED_ROW = 'refused row';

/* The labels of buttons. */
export const CANCEL = 'Cancel';
export const CLOSE = 'Close';
export const CONTINUE = 'Continue';
export const SHOW = 'Show';
export const STOP = 'Stop';
export const TRY_AGAIN = 'Try again';
export const CHECK = 'Check';
export const RECORD = 'Record';
export const CONFIRM = 'Confirm';
export const VOID = 'Void';
export const VOID_AND_REPLACE = 'Void and replace';
export const ACCEPT = 'Accept';
export const PRINT = 'Print';
export const SAVE_AS_CSV = 'Save as CSV';
export const DOWNLOAD_CSV = 'Download CSV';

/* The names of views. */
export const SEQUENCES = 'Sequences';
export const ALL_SEQUENCES = 'All sequences';
export const NEW_SEQUENCE = 'New sequence';
export const SEARCH = 'Search';
export const MONTH_END = 'Month end';
export const UPLOADS = 'Uploads';
export const IMPORT = 'Import';
export const CHANGES = 'Changes';
export const WHO_GOT_IT = 'Who got it?';
export const FAILED_MESSAGES = 'Failed messages';

/* Longer labels and messages. */
export const YOUR_NAME = 'Your name';
export const TEXT_NUMBER_OR_KEY = 'Text, number or key';
export const FIX_THE_MARKED_FIELDS = 'Fix the marked fields.';
export const LOADING = 'Loading …';
export const RANGE_IS_USED_UP = 'The range is used up';
export const SHOWN_IN_THE_LEDGER = 'Shown in the ledger.';
export const VOIDED_FOREVER = 'will be voided forever.';
export const CANNOT_BE_UNDONE = 'This cannot be undone.';
export const CONFIRM_OR_VOID = 'Confirm or void';
export const CONFIRM_OR_VOID_KEYS = `${CONFIRM_OR_VOID} a list of keys`;

/** The names of the statuses of numbers. */
export const STATUS_NAMES: Readonly<Record<string, string>> = {issued: 'issued', reserved: 'reserved', void: 'voided'};

/** The word for a reservation that was confirmed: its numbers are issued then. */
export const CONFIRMED = 'confirmed';

/** The words of chips beside the statuses of numbers. */
export const CHIPS = {skipped: 'skipped', suspended: 'suspended', retired: 'retired', unreadable: 'unreadable'} as const;

/** The outcomes of the rows of an import. */
export const OUTCOMES = {imported: 'imported', 'would-import': 'can be imported', 'already-there': 'already imported', refused: 'refused'} as const;
