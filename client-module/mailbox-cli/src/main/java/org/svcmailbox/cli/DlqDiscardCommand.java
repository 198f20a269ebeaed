package org.svcmailbox.cli;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** Deletes dead letters. */
@Command(name = "discard", description = "Deletes dead letters, for good.")
final class DlqDiscardCommand extends JobCommand {
  DlqDiscardCommand() {
    super("discard");
  }

  @Override
  @Nullable Integer first() {
    return null;
  }

  @Override
  @Nullable String target() {
    return null;
  }

  @Override
  @Nullable Duration ttl() {
    return null;
  }
}
