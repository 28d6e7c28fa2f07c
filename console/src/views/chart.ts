import {html, useEffect, useRef} from '../html.ts';
import uPlot from 'uplot';
import {moment, type Num} from '../words.ts';

export interface Point {
  readonly at: string;
  readonly number: Num;
}

const HEIGHT = 200;

function color(element: Element, name: string): string {
  return getComputedStyle(element).getPropertyValue(name).trim();
}

function options(element: HTMLElement): uPlot.Options {
  const axis = {stroke: color(element, '--muted'), grid: {stroke: color(element, '--line'), width: 1}, ticks: {show: false}};
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: {show: false},
    cursor: {y: false, drag: {x: false, y: false}},
    axes: [axis, {...axis, size: 80}],
    series: [{}, {
      stroke: color(element, '--accent'),
      width: 2,
      paths: uPlot.paths.stepped!({align: 1}),
      points: {show: false},
    }],
  };
}

/** Numbers over time, as steps. Drawn on a canvas, so what it shows is said in words as well. */
export function Chart({points}: {points: readonly Point[]}) {
  const place = useRef<HTMLDivElement>(null);
  const said = `Numbers over time: from ${points[0]?.number} on ${moment(points[0]?.at)} to ${points.at(-1)?.number} on ${moment(points.at(-1)?.at)}.`;
  useEffect(() => {
    const element = place.current!;
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(options(element), [points.map(point => Date.parse(point.at) / 1000), points.map(point => Number(point.number))], element);
    };
    draw();
    const fit = new ResizeObserver(() => plot?.setSize({width: element.clientWidth, height: HEIGHT}));
    fit.observe(element);
    scheme.addEventListener('change', draw);
    return () => {
      fit.disconnect();
      scheme.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [points]);
  return html`<figure class="chart"><div ref=${place} role="img" aria-label=${said}></div><figcaption class="muted">${said}</figcaption></figure>`;
}
