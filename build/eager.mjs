/** For the benchmark only: the same sources with everything evaluated at load, to see what being late saves. */
import { readFileSync } from "node:fs";
import { extname } from "node:path";

export const eager = {
  name: "eager",
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const imports = [];
      const contents = source.replace(/(?<!typeof )import\(("[^"]+")\)/g, (_, name) => {
        imports.push(`import * as late${imports.length} from ${name};`);
        return `Promise.resolve(late${imports.length - 1})`;
      });
      return { contents: `${imports.join("\n")}\n${contents}`, loader: extname(path).slice(1) };
    });
  },
};
