/**
 * An answer as rendered Markdown, block by block.
 * Owns: that finished blocks keep their elements while the answer grows, and the button for more of a very long one.
 * Does not own: where blocks end (splitBlocks.ts), how much is shown at first (shownPart.ts).
 */
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { exactFigure } from "../format";
import { useViewHost } from "../ViewContext";
import { BlockPainter } from "./BlockPainter";
import { shownPart } from "./shownPart";
import { needsWholeRendering } from "./splitBlocks";

interface MarkdownBlocksProps {
  readonly markdown: string;
  readonly isStreaming: boolean;
}

export function MarkdownBlocks({ markdown, isStreaming }: MarkdownBlocksProps): VNode {
  const earlier = useRef<readonly string[]>([]);
  const [steps, setSteps] = useState(1);
  const { blocks, hiddenChars } = useMemo(() => {
    const part = shownPart(markdown, earlier.current, steps);
    const isWhole = !isStreaming && part.hiddenChars === 0 && needsWholeRendering(markdown);
    return isWhole ? { blocks: [markdown], hiddenChars: 0 } : part;
  }, [markdown, isStreaming, steps]);
  earlier.current = blocks;
  return (
    <div class="vault-copilot-blocks markdown-rendered" dir="auto">
      {blocks.map((block, index) => (
        <MarkdownBlock key={index} markdown={block} />
      ))}
      {hiddenChars > 0 && (
        <div class="vault-copilot-hidden-part">
          <span class="vault-copilot-note">{`This answer is very long: ${exactFigure(hiddenChars)} more characters.`}</span>
          <button type="button" onClick={() => setSteps(steps + 1)}>
            Show more
          </button>
        </div>
      )}
    </div>
  );
}

function MarkdownBlock({ markdown }: { readonly markdown: string }): VNode {
  const host = useViewHost();
  const element = useRef<HTMLDivElement>(null);
  const painter = useRef<BlockPainter>(undefined);
  useLayoutEffect(() => {
    if (element.current === null) return;
    painter.current ??= new BlockPainter(element.current, host);
    painter.current.paint(markdown);
  }, [host, markdown]);
  useEffect(() => () => painter.current?.close(), []);
  return <div class="vault-copilot-block" dir="auto" ref={element} />;
}
