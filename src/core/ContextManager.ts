/**
 * From what the user attached to the plan of a turn.
 * Owns: reading attachments into artifacts, and which layer each goes to.
 * Does not own: fitting (context/fitToBudget, asked again for each request), sending, the conversation.
 */
import type { ContextArtifact, TurnPlan, UserInput } from "../context/PromptContextTypes";
import type { ReportWarning } from "../context/requestReport";
import type { AttachmentReader } from "../vault/attachmentTypes";
import type { AttachedImage, Attachment } from "./chatTypes";

/** What a turn is made from. */
export interface TurnRequest {
  readonly conversationId: string;
  readonly messageId: string;
  readonly systemPrompt: string;
  readonly text: string;
  readonly images: readonly AttachedImage[];
  readonly attachments: readonly Attachment[];
  /** What the mode gathered: passages, tool output. */
  readonly gathered: readonly ContextArtifact[];
}

export interface PlannedTurn {
  readonly plan: TurnPlan;
  /** Attachments that could not be read: they belong into the report of the request. */
  readonly warnings: readonly ReportWarning[];
}

export class ContextManager {
  constructor(private readonly attachments: AttachmentReader) {}

  /**
   * Plans a turn: an attached note is read anew and stands in L3 in full while it stays attached. Its size is dealt
   * with where the request is assembled, by the L1-aware limit of docs/budget.md 3.3.
   */
  async processMessageContext(turn: TurnRequest): Promise<PlannedTurn> {
    const warnings: ReportWarning[] = [];
    const artifacts: ContextArtifact[] = [];
    for (const attachment of uniqueById(turn.attachments)) {
      const artifact = attachment.artifact ?? (await this.read(attachment, warnings));
      if (artifact) artifacts.push(artifact);
    }
    return {
      plan: {
        conversationId: turn.conversationId,
        messageId: turn.messageId,
        systemPrompt: turn.systemPrompt,
        projectContext: [],
        library: [],
        earlierContext: [],
        turnContext: [...artifacts, ...turn.gathered],
        user: userInputOf(turn),
        tools: [],
      },
      warnings,
    };
  }

  private async read(attachment: Attachment, warnings: ReportWarning[]): Promise<ContextArtifact | undefined> {
    const { id, title } = attachment;
    const found = await this.attachments.read(attachment);
    switch (found.kind) {
      case "read":
        return found.artifact;
      case "missing":
        warnings.push({ code: "ATTACHMENT_MISSING", id, title });
        return undefined;
      case "unreadable":
        warnings.push({ code: "ATTACHMENT_UNREADABLE", id, title, reason: found.reason });
        return undefined;
    }
  }
}

function userInputOf({ text, images }: TurnRequest): UserInput {
  return { text, images: images.map(({ path: _path, ...image }) => image) };
}

function uniqueById(attachments: readonly Attachment[]): readonly Attachment[] {
  return [...new Map(attachments.map((attachment) => [attachment.id, attachment])).values()];
}
