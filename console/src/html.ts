import htm from 'htm';
import {h} from 'preact';

export {render} from 'preact';
export {useCallback, useEffect, useErrorBoundary, useId, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';

/** Builds markup from a template. Text in the template is never parsed as markup. */
export const html = htm.bind(h);
