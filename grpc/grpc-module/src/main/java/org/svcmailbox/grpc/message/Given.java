package org.svcmailbox.grpc.message;

import org.jspecify.annotations.Nullable;

/** Conversions that the others share. */
final class Given {
  private Given() {}

  /** Null for an empty text, which means an absent field. */
  static @Nullable String text(String field) {
    return field.isEmpty() ? null : field;
  }

  static IllegalStateException unforeseen(Object outcome) {
    return new IllegalStateException("Unhandled outcome " + outcome.getClass().getName());
  }
}
