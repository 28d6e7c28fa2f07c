import {html, useEffect, useRef} from '../html.ts';
import type uPlot from 'uplot';
import {moment, ticksOf, type Num} from '../words.ts';

export interface Point {
  readonly at: string;
  readonly number: Num;
}

const HEIGHT = 200;

function color(element: Element, name: string): string {
  return getComputedStyle(element).getPropertyValue(name).trim();
}

type Plot = typeof uPlot;

function options(element: HTMLElement, {paths}: Plot): uPlot.Options {
  const axis = {stroke: color(element, '--muted'), grid: {stroke: color(element, '--line'), width: 1}, ticks: {show: false}};
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: {show: false},
    cursor: {y: false, drag: {x: false, y: false}},
    // uPlot's own labels use American dates, and numbers in the browser's language.
    axes: [
      {...axis, values: (_, splits, _axis, _space, step) => ticksOf(splits.map(second => second * 1000), step * 1000)},
      {...axis, size: 80, values: (_, splits) => splits.map(number => Number.isInteger(number) ? String(number) : '')},
    ],
    series: [{}, {
      stroke: color(element, '--accent'),
      width: 2,
      paths: paths.stepped!({align: 1}),
      points: {show: false},
    }],
  };
}

/**
 * A step chart of numbers over time. It is drawn on a canvas, so the caption contains the same in words. The library is in a separate file
 * that only a page with a chart loads; if that fails, the caption remains.
 */
export function Chart({points}: {points: readonly Point[]}) {
  const place = useRef<HTMLDivElement>(null);
  const said = `Numbers over time: from ${points[0]?.number} on ${moment(points[0]?.at)} to ${points.at(-1)?.number} on ${moment(points.at(-1)?.at)}.`;
  useEffect(() => {
    const element = place.current!;
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    let Plot: Plot | undefined;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = Plot && new Plot(options(element, Plot), [points.map(point => Date.parse(point.at) / 1000), points.map(point => Number(point.number))], element);
    };
    let isShown = true;
    import('uplot').then(loaded => {
      Plot = isShown ? loaded.default : undefined;
      draw();
    }).catch(console.warn);
    const fit = new ResizeObserver(() => plot?.setSize({width: element.clientWidth, height: HEIGHT}));
    fit.observe(element);
    scheme.addEventListener('change', draw);
    return () => {
      isShown = false;
      fit.disconnect();
      scheme.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [points]);
  return html`<figure class="chart"><div ref=${place} role="img" aria-label=${said}></div><figcaption class="muted">${said}</figcaption></figure>`;
}
