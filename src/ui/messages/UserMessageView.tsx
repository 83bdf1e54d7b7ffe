/** A question in the chat, as it was typed. Owns: its layout. Does not own: rendering of Markdown (a question has none). */
import type { VNode } from "preact";
import type { AttachedImage, UserMessage } from "../../core/chatTypes";
import { kindIcon } from "../composer/attachments";
import { Icon } from "../Icon";
import { useViewHost, type ViewHost } from "../ViewContext";

/** An image of a chat that was opened from its note is a file of the vault until it is sent again. */
function sourceOf({ mimeType, base64, path }: AttachedImage, { app }: ViewHost): string {
  if (base64 !== "") return `data:${mimeType};base64,${base64}`;
  const file = path === undefined ? null : app.vault.getFileByPath(path);
  return file ? app.vault.getResourcePath(file) : "";
}

export function UserMessageView({ message }: { readonly message: UserMessage }): VNode {
  const host = useViewHost();
  return (
    <div class="vault-copilot-message vault-copilot-question">
      {message.attachments.length + message.images.length > 0 && (
        <ul class="vault-copilot-attached" aria-label="Attached">
          {message.attachments.map((attachment) => (
            <li key={attachment.id}>
              {attachment.artifact === undefined ? (
                <button type="button" onClick={(event) => host.openLink(attachment.id, event)}>
                  <Icon name={kindIcon(attachment.kind)} />
                  <span dir="auto">{attachment.title}</span>
                </button>
              ) : (
                <span class="vault-copilot-attached-text">
                  <Icon name={kindIcon(attachment.kind)} />
                  <span dir="auto">{attachment.title}</span>
                </span>
              )}
            </li>
          ))}
          {message.images.map((image) => (
            <li key={image.name}>
              <img class="vault-copilot-thumbnail" src={sourceOf(image, host)} alt={image.name} />
            </li>
          ))}
        </ul>
      )}
      {message.text !== "" && (
        <div class="vault-copilot-question-text" dir="auto">
          {message.text}
        </div>
      )}
    </div>
  );
}
