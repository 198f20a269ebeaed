package org.svcmailbox.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command that takes dead letters out of their queue. */
final class MoveOptions {
  @Option(names = "--dry-run", description = "Only count, and change nothing.")
  private boolean dryRun;

  @Mixin private Consent consent;

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      description = "Why, for the audit; required without --dry-run.")
  private @Nullable String note;

  boolean isDryRun() {
    return dryRun;
  }

  /**
   * The operator's note.
   *
   * @throws UsageException if it is missing
   */
  String note() {
    if (note == null || note.isBlank()) {
      throw new UsageException("--note is required: say why");
    }
    return note;
  }

  /** Checks the note before any call is made. */
  void check() {
    if (!dryRun) {
      String unused = note();
    }
  }

  /** Asks, unless an option already gave the answer. */
  boolean isConfirmed(Console console, String question) {
    return consent.isGiven(console, question);
  }
}
