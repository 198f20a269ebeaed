package org.svcmailbox.worker.command;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Selects a consumer where several are possible. */
final class ConsumerChoice {
  private ConsumerChoice() {}

  static String needed(Stream<String> names) {
    return names.collect(
        Collectors.joining(", ", "several consumers have it: name one with --consumer (", ")"));
  }
}
