package org.svcmailbox.core.redrive;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.Place;

/**
 * What came of an attempt to move some letters. Those that it does not name are gone, in other
 * hands, or refused.
 *
 * @param moved their transaction is on disk
 * @param failed why they cannot be moved, in a sentence for people
 * @param refusal why some were refused for now, null when none was
 */
record Moved(Set<Place> moved, Map<Place, String> failed, @Nullable String refusal) {
  Moved {
    moved = Set.copyOf(moved);
    failed = Map.copyOf(failed);
  }
}
