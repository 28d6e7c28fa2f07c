import htm from 'htm';
import {h} from 'preact';

export {render} from 'preact';
export {useCallback, useEffect, useErrorBoundary, useId, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';

/** Markup as a template: texts in it are texts, whatever they hold. */
export const html = htm.bind(h);
