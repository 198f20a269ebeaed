package org.svcmailbox.worker.command;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.admin.OutboxAdmin.Filter;
import org.svcmailbox.outbox.event.ErrorCode;
import picocli.CommandLine.Option;

/** Selects events of the outbox. */
final class EventOptions {
  @Option(
      names = "--error",
      paramLabel = "TEXT",
      description = "A code such as NO_ROUTE, or words of the error in any case.")
  private @Nullable String error;

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      defaultValue = "0s",
      description = "Parked for so long, at least; of events that are not parked, occurred.")
  private Duration olderThan = Duration.ZERO;

  /** Error codes are in capitals, so that {@code refused} also finds a refused connection. */
  Filter filter() {
    Optional<ErrorCode> code =
        Arrays.stream(ErrorCode.values()).filter(known -> known.name().equals(error)).findFirst();
    Optional<String> words = code.isPresent() ? Optional.empty() : Optional.ofNullable(error);
    return new Filter(code, words, olderThan);
  }

  boolean isEmpty() {
    return error == null && olderThan.isZero();
  }
}
