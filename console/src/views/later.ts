import {html, useEffect, useState} from '../html.ts';
import {Loading} from '../parts.ts';
import type {View, ViewProps} from '../view.ts';

type Component = View['component'];

/** Returns a view's component whose code is loaded when the view is shown first. A failure fails the view. */
export function later(load: () => Promise<Component>): Component {
  return function Later(props: ViewProps) {
    const [loaded, setLoaded] = useState<{component?: Component; failure?: unknown}>({});
    useEffect(() => {
      let isShown = true;
      const set = (known: {component?: Component; failure?: unknown}) => isShown && setLoaded(known);
      load().then(component => set({component}), failure => set({failure}));
      return () => {
        isShown = false;
      };
    }, []);
    if (loaded.failure) {
      throw loaded.failure;
    }
    return loaded.component ? html`<${loaded.component} ...${props} />` : html`<${Loading} />`;
  };
}
