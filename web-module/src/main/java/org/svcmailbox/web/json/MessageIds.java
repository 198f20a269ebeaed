package org.svcmailbox.web.json;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.problem.SchemaException;

/** Validates lists of message ids. */
public final class MessageIds {
  private static final String FIELD = "msg_ids";

  private MessageIds() {}

  /**
   * Returns the ids.
   *
   * @throws SchemaException for none, too many or malformed ones
   */
  public static List<MsgId> checked(List<@Nullable String> given, int most) {
    if (given.isEmpty() || given.size() > most) {
      throw new SchemaException(FIELD, "must have 1 to " + most + " elements");
    }
    return given.stream().map(MessageIds::id).toList();
  }

  private static MsgId id(@Nullable String text) {
    try {
      return MsgId.parse(String.valueOf(text));
    } catch (SchemaException e) {
      throw new SchemaException(FIELD, "must be message ids");
    }
  }
}
