/** Plain tables for the benchmarks. */

export function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  cells.forEach((row, index) => {
    console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`);
    if (index === 0) console.log(`| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  });
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
