package org.svcmailbox.worker.command;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.admin.OutboxAdmin.Filter;
import org.svcmailbox.outbox.event.ErrorCode;
import picocli.CommandLine.Option;

/** Selects parked events. */
final class ParkedOptions {
  @Option(names = "--error", paramLabel = "CODE", description = "Why: ${COMPLETION-CANDIDATES}.")
  private @Nullable ErrorCode code;

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      defaultValue = "0s",
      description = "Parked for so long, at least.")
  private Duration olderThan = Duration.ZERO;

  Filter filter() {
    return new Filter(Optional.ofNullable(code), olderThan);
  }

  boolean isEmpty() {
    return code == null && olderThan.isZero();
  }
}
