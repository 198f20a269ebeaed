package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Capability;
import org.svcmailbox.client.KeyConflictException;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.SerializationException;

/**
 * Sends lines in batches, one after the other, so that they keep their order. A batch contains the
 * lines that are available, and never waits for more. A line that can never be sent goes to the
 * rejects; any other failure ends the command, because the same lines can be sent again.
 */
final class LineSender {
  /** Makes a message. */
  interface MessageMaker {
    Outgoing<byte[], Object> message(byte[] body, @Nullable String key);
  }

  private static final class Line {
    final long number;
    final byte[] bytes;

    Line(long number, byte[] bytes) {
      this.number = number;
      this.bytes = bytes;
    }
  }

  private final Mailbox<byte[], byte[]> mailbox;
  private final LineKeys keys;
  private final MessageMaker maker;
  private final Rejects rejects;
  private final JsonOutput out;
  private final CombinedExit outcomes = new CombinedExit();

  LineSender(
      Mailbox<byte[], byte[]> mailbox,
      LineKeys keys,
      MessageMaker maker,
      Rejects rejects,
      JsonOutput out) {
    this.mailbox = mailbox;
    this.keys = keys;
    this.maker = maker;
    this.rejects = rejects;
    this.out = out;
  }

  /** Sends all lines. An empty input is a success. */
  ExitCode send(LineSource source, Progress progress) {
    List<Line> batch = new ArrayList<>();
    long bytes = 0;
    for (byte[] line = source.next(); line != null; line = source.next()) {
      if (!isFitting(batch, bytes + line.length)) {
        send(batch);
        batch.clear();
        bytes = 0;
      }
      if (line.length > 0) {
        batch.add(new Line(source.number(), line));
        bytes += line.length;
      }
      if (!source.isReady()) {
        send(batch);
        batch.clear();
        bytes = 0;
      }
      progress.to(source.consumed());
    }
    send(batch);
    ExitCode code = outcomes.together();
    return code == ExitCode.NOTHING ? ExitCode.DONE : code;
  }

  private boolean isFitting(List<Line> batch, long bytes) {
    return batch.isEmpty()
        || (batch.size() < mailbox.features().maxBatch()
            && bytes <= mailbox.features().maxBodyBytes());
  }

  private void send(List<Line> batch) {
    List<Line> sendable = new ArrayList<>();
    List<Outgoing<byte[], Object>> messages = new ArrayList<>();
    for (Line line : batch) {
      try {
        messages.add(maker.message(line.bytes, keys.key(line.bytes, line.number)));
        sendable.add(line);
      } catch (SerializationException e) {
        reject(line, e);
      }
    }
    if (messages.isEmpty()) {
      return;
    }
    List<SendResult> results = mailbox.sendAll(messages);
    RuntimeException end = null;
    for (int i = 0; i < results.size(); i++) {
      RuntimeException failure = tell(sendable.get(i), results.get(i));
      end = end == null ? failure : end;
    }
    out.flush();
    if (end != null) {
      throw end;
    }
  }

  /** Returns the failure if other lines would fail in the same way; null otherwise. */
  private @Nullable RuntimeException tell(Line line, SendResult result) {
    if (result instanceof SendResult.Accepted accepted) {
      out.line(numbered(line).setAll(SendCommand.result(accepted.sent())));
      outcomes.add(ExitCode.DONE);
      return null;
    }
    RuntimeException cause = ((SendResult.Failed) result).cause();
    if (cause instanceof SerializationException
        || cause instanceof KeyConflictException
        || cause instanceof IllegalArgumentException) {
      reject(line, cause);
      return null;
    }
    return cause;
  }

  private static ObjectNode numbered(Line line) {
    return JsonOutput.object().put("line", line.number);
  }

  private void reject(Line line, RuntimeException why) {
    rejects.add(line.bytes);
    String error = Capability.withoutTokens(String.valueOf(why.getMessage()));
    out.line(numbered(line).put("error", error));
    outcomes.add(ExitCode.SOME_FAILED);
  }
}
