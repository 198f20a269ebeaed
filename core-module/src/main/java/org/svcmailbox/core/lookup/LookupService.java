package org.svcmailbox.core.lookup;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;

/**
 * Finds messages. Calls block. Four run at a time; others throw {@code SaturatedException} with
 * {@code message_lookups}.
 */
public interface LookupService {
  /** Shards that are looked into; more than enough, because few have the slot of an id. */
  int MOST_SHARDS = 64;

  /** When a search asks nobody else. The last question may take longer. */
  Duration PATIENCE = Duration.ofSeconds(2);

  int MOST_MATCHES = 50;

  /** How a message was matched. */
  enum Source {
    /** It holds the idempotency key. */
    KEY,
    /** It is a dead letter. */
    LETTER
  }

  /**
   * A message with a key or correlation id.
   *
   * @param source {@code KEY} for a letter that still holds the key
   * @param deadAt null for one that is not a letter
   */
  record Match(MsgId msgId, Source source, @Nullable Instant deadAt) {}

  /**
   * The newest matches, each message once.
   *
   * @param isComplete whether all answered, and nothing was left out
   */
  record Matches(List<Match> messages, boolean isComplete) {}

  /**
   * Tells what is known of a message. Topics that the caller may not {@code peek} at do not exist.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException if it is in no place, and all were seen
   * @throws org.svcmailbox.core.capability.DeniedException if the caller may peek nowhere
   */
  Biography biography(Caller caller, MsgId msgId);

  /** The message that holds a key within {@code t_replay}, and letters with that key. */
  Matches byKey(Caller caller, TopicName topic, IdemKey key);

  /** Letters with a correlation id. */
  Matches byCorrId(Caller caller, TopicName topic, CorrId corrId);
}
