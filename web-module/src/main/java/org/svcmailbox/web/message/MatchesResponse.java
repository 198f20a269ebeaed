package org.svcmailbox.web.message;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.lookup.LookupService.Match;
import org.svcmailbox.core.lookup.LookupService.Matches;

/** Messages with a key or a correlation id. */
record MatchesResponse(List<MatchedMessage> messages, boolean complete) {
  /** One of them. */
  record MatchedMessage(String msgId, String source, @Nullable String deadAt) {
    private static MatchedMessage of(Match match) {
      Instant deadAt = match.deadAt();
      return new MatchedMessage(
          match.msgId().toString(),
          match.source().name().toLowerCase(Locale.ROOT),
          deadAt == null ? null : Timestamps.text(deadAt));
    }
  }

  static MatchesResponse of(Matches matches) {
    return new MatchesResponse(
        matches.messages().stream().map(MatchedMessage::of).toList(), matches.isComplete());
  }
}
