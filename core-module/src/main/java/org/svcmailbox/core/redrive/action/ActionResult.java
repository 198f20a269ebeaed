package org.svcmailbox.core.redrive.action;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.topic.ShardId;

/**
 * The result of an action. Letters that are neither moved nor failed are gone, held by others, or
 * refused for now.
 */
public record ActionResult(
    Set<LetterPosition> moved,
    Map<LetterPosition, String> failed,
    @Nullable String refusal,
    Set<ShardId> shards) {
  public ActionResult {
    moved = Set.copyOf(moved);
    failed = Map.copyOf(failed);
    shards = Set.copyOf(shards);
  }
}
