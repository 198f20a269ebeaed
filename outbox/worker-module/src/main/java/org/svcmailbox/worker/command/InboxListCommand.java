package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.admin.InboxAdmin.Filter;
import org.svcmailbox.outbox.admin.InboxAdmin.Listed;
import org.svcmailbox.outbox.admin.InboxAdmin.State;
import org.svcmailbox.outbox.inbox.DeadLetter;
import org.svcmailbox.outbox.inbox.InboxMessage;
import org.svcmailbox.outbox.jdbc.JdbcInboxAdmin;
import org.svcmailbox.worker.config.WorkerSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints messages of the inbox. */
@Command(name = "list", description = "Prints messages, oldest first, at most 1,000.")
final class InboxListCommand extends DatabaseCommand {
  @Option(
      names = "--state",
      paramLabel = "STATE",
      defaultValue = "unprocessed",
      description = "unprocessed, dead or any; by default unprocessed, with the dead ones.")
  private State state = State.UNPROCESSED;

  @Option(
      names = "--error",
      paramLabel = "TEXT",
      description = "Words of the last error, in any case.")
  private @Nullable String error;

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      defaultValue = "0s",
      description = "Received so long ago, at least.")
  private Duration olderThan = Duration.ZERO;

  @Option(
      names = "--consumer",
      paramLabel = "NAME",
      description = "The consumer that received them; by default all.")
  private @Nullable String consumer;

  @Override
  ExitCode run(DataSource source, WorkerSettings settings, JsonLines out) {
    new JdbcInboxAdmin(source)
        .list(
            new Filter(state, Optional.ofNullable(error), olderThan, Optional.ofNullable(consumer)))
        .forEach(one -> out.line(line(one)));
    return ExitCode.DONE;
  }

  private static ObjectNode line(Listed listed) {
    InboxMessage message = listed.message();
    ObjectNode line =
        JsonLines.object()
            .put("id", message.messageId().toString())
            .put("subject", message.subject())
            .put("state", state(listed))
            .put("received_at", message.receivedAt().toString())
            .put("attempts", message.attempts());
    JsonLines.put(line, "consumer", listed.consumer().orElse(null));
    JsonLines.put(line, "processed_at", message.processedAt());
    JsonLines.put(line, "error", message.lastError());
    listed.letter().ifPresent(letter -> put(line, letter));
    return line;
  }

  private static String state(Listed listed) {
    if (listed.message().processedAt() != null) {
      return "processed";
    }
    return listed.letter().isPresent() ? "dead" : "unprocessed";
  }

  private static void put(ObjectNode line, DeadLetter letter) {
    JsonLines.put(line, "dead_at", letter.deadAt());
    JsonLines.put(line, "routed_at", letter.routedAt());
    JsonLines.put(line, "reason", letter.reason());
    JsonLines.put(line, "msg_id", letter.msgId().isEmpty() ? null : letter.msgId());
  }
}
