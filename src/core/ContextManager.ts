/**
 * From what the user attached to the plan of a turn.
 * Owns: reading attachments into artifacts, and which layer each goes to.
 * Does not own: fitting (context/fitToBudget, asked again for each request), sending, the conversation.
 */
import type { ContextArtifact, TurnPlan, UserInput } from "../context/PromptContextTypes";
import type { ReportWarning } from "../context/requestReport";
import type { AttachmentReader } from "../vault/attachmentTypes";
import type { AttachedImage, Attachment } from "./chatTypes";
import { placeAttachments, type AttachedBefore } from "./contextCarryForward";

/** What a turn is made from. */
export interface TurnRequest {
  readonly conversationId: string;
  readonly messageId: string;
  readonly systemPrompt: string;
  readonly text: string;
  readonly images: readonly AttachedImage[];
  readonly attachments: readonly Attachment[];
  /** What the questions before this one on the branch had attached, oldest first. Absent: nothing. */
  readonly earlierQuestions?: readonly (readonly AttachedBefore[])[];
  /** What the mode gathered: passages, tool output. */
  readonly gathered: readonly ContextArtifact[];
}

export interface PlannedTurn {
  readonly plan: TurnPlan;
  /** What was asked for, each with the hash of its text as it was read now. */
  readonly attachments: readonly Attachment[];
  /** Attachments that could not be read: they belong into the report of the request. */
  readonly warnings: readonly ReportWarning[];
}

export class ContextManager {
  constructor(private readonly attachments: AttachmentReader) {}

  /**
   * Plans a turn: an attached note is read anew and stands in full while it stays attached, in L3 at first and in the
   * library once it is lasting (docs/budget.md 3.2). Its size is dealt with where the request is assembled, by the
   * L1-aware limit of docs/budget.md 3.3.
   */
  async processMessageContext(turn: TurnRequest): Promise<PlannedTurn> {
    const warnings: ReportWarning[] = [];
    const attached: Attached[] = [];
    for (const attachment of uniqueById(turn.attachments)) {
      attached.push({ attachment, artifact: attachment.artifact ?? (await this.read(attachment, warnings)) });
    }
    const { library, turnContext } = placesOf(attached, turn.earlierQuestions ?? []);
    return {
      plan: {
        conversationId: turn.conversationId,
        messageId: turn.messageId,
        systemPrompt: turn.systemPrompt,
        projectContext: [],
        library,
        earlierContext: [],
        turnContext: [...turnContext, ...turn.gathered],
        user: userInputOf(turn),
        tools: [],
      },
      attachments: attached.map(withHash),
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

/** An attachment with what was found behind it; nothing where it could not be read. */
interface Attached {
  readonly attachment: Attachment;
  readonly artifact: ContextArtifact | undefined;
}

function placesOf(attached: readonly Attached[], earlierQuestions: readonly (readonly AttachedBefore[])[]) {
  const artifactsOf = (list: readonly Attached[]) => list.flatMap(({ artifact }) => artifact ?? []);
  const { library } = placeAttachments(
    artifactsOf(attached.filter(({ attachment }) => attachment.followed !== true)),
    earlierQuestions,
  );
  const inLibrary = new Set(library);
  return { library, turnContext: artifactsOf(attached).filter((artifact) => !inLibrary.has(artifact)) };
}

function withHash({ attachment, artifact }: Attached): Attachment {
  return artifact === undefined || artifact.hash === attachment.hash
    ? attachment
    : { ...attachment, hash: artifact.hash };
}

function userInputOf({ text, images }: TurnRequest): UserInput {
  return { text, images: images.map(({ path: _path, ...image }) => image) };
}

function uniqueById(attachments: readonly Attachment[]): readonly Attachment[] {
  return [...new Map(attachments.map((attachment) => [attachment.id, attachment])).values()];
}
