/** Ends a run with how many changed outputs its tests tried. */
export default class VariantsReporter {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const counts = tests.map((test) => test.meta().variants ?? 0).filter((count) => count > 0);
    const total = counts.reduce((sum, count) => sum + count, 0);
    console.log(`${total} variants of probe outputs tried by ${counts.length} tests`);
  }
}
