import type { Measurement } from '../contract';
import type { ServerFamilies } from './families';
import { gaugeProblem } from './plausibility';
import type { ServerWindow } from './server-window';

interface Course {
  highest: number;
  sum: number;
  count: number;
}

/** Highest and mean value of each gauge over many scrapes: two looks at the ends say nothing about a gauge. */
export class GaugeHistory {
  private readonly courses = new Map<string, Course>();
  scrapes = 0;
  /** The first value that cannot be right. */
  problem: { message: string; line: number } | undefined;

  constructor(private readonly families: ServerFamilies) {}

  add(window: ServerWindow): void {
    this.scrapes++;
    for (const family of this.families.gauges) {
      const gauge = window.gauge(family);
      if (!gauge) continue;
      const { value, line } = gauge;
      const message = gaugeProblem(family, value);
      if (message !== undefined) this.problem ??= { message, line };
      const metric = `${this.families.server}.${family.metric}`;
      const course = this.courses.get(metric) ?? { highest: -Infinity, sum: 0, count: 0 };
      this.courses.set(metric, { highest: Math.max(course.highest, value), sum: course.sum + value, count: course.count + 1 });
    }
  }

  /** The measurements with the last value of each gauge replaced by its course. */
  replace(measurements: readonly Measurement[]): Measurement[] {
    return measurements.flatMap((measurement) => {
      const course = this.courses.get(measurement.metric);
      if (!course) return [measurement];
      const { metric, line } = measurement;
      const shared = { metric, samples: course.count, ...(line === undefined ? {} : { line }) };
      return [
        { ...shared, value: course.highest, labels: { stat: 'max' } },
        { ...shared, value: course.sum / course.count, labels: { stat: 'mean' } },
      ];
    });
  }
}
