package org.svcmailbox.web.rendezvous;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.rendezvous.Right;

/** Rights in JSON: {@code post} and {@code get}. */
final class RightText {
  private static final String FIELD = "rights";

  private RightText() {}

  static List<String> of(Collection<Right> rights) {
    return rights.stream().sorted().map(RightText::of).toList();
  }

  private static String of(Right right) {
    return right.name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws SchemaException for an empty list, a repeated or an unknown right
   */
  static Set<Right> parse(List<@Nullable String> given) {
    Set<Right> rights = EnumSet.noneOf(Right.class);
    for (String text : given) {
      if (!rights.add(parse(text))) {
        throw new SchemaException(FIELD, "must list each right once");
      }
    }
    if (rights.isEmpty()) {
      throw new SchemaException(FIELD, "must list post, get or both");
    }
    return rights;
  }

  private static Right parse(@Nullable String text) {
    for (Right right : Right.values()) {
      if (of(right).equals(text)) {
        return right;
      }
    }
    throw new SchemaException(FIELD, "must list post, get or both");
  }
}
