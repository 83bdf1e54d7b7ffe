/**
 * An answer as rendered Markdown, block by block.
 * Owns: that finished blocks keep their elements while the answer grows. Does not own: where blocks end (splitBlocks.ts).
 */
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useViewHost } from "../ViewContext";
import { BlockPainter } from "./BlockPainter";
import { continueBlocks, needsWholeRendering } from "./splitBlocks";

interface MarkdownBlocksProps {
  readonly markdown: string;
  readonly isStreaming: boolean;
}

export function MarkdownBlocks({ markdown, isStreaming }: MarkdownBlocksProps): VNode {
  const earlier = useRef<readonly string[]>([]);
  const blocks = useMemo(() => {
    if (!isStreaming && needsWholeRendering(markdown)) return [markdown];
    return continueBlocks(earlier.current, markdown);
  }, [markdown, isStreaming]);
  earlier.current = blocks;
  return (
    <div class="vault-copilot-blocks markdown-rendered" dir="auto">
      {blocks.map((block, index) => (
        <MarkdownBlock key={index} markdown={block} />
      ))}
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
