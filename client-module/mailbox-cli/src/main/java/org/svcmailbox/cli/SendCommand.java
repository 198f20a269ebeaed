package org.svcmailbox.cli;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.Sent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends a file as one message, or each of its lines as a message. */
@Command(
    name = "send",
    description = "Sends a file as one message, or each of its lines.",
    footer = {
      "",
      "A line's key is made of the line and its number, so a command that is run",
      "again sends no line twice, as long as the topic remembers keys (t_replay,",
      "5 minutes)."
    })
final class SendCommand extends CliCommand {
  @Mixin private ServiceOptions service;

  @Parameters(index = "0", paramLabel = "TOPIC", converter = Values.Topic.class)
  private String topic;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      defaultValue = "-",
      description = "What to send; by default, standard input.")
  private Path file;

  @Option(names = "--lines", description = "Send each line that is not empty as a message.")
  private boolean lines;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "The key of one message; by default a random one.")
  private @Nullable String key;

  @Option(
      names = "--key-from",
      paramLabel = "POINTER",
      description = "Take the key from a place in the body's JSON, such as /order/id.")
  private @Nullable String keyFrom;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description = "Write the lines that cannot be sent as they are to a file.")
  private @Nullable Path rejects;

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description = "Messages of one group share a shard, and so keep their order.")
  private @Nullable String group;

  @Option(names = "--attr", paramLabel = "NAME=VALUE", description = "An attribute.")
  private Map<String, String> attributes = new TreeMap<>();

  @Option(
      names = "--delay",
      paramLabel = "DURATION",
      description = "How long the message stays hidden at first.")
  private Duration delay = Duration.ZERO;

  @Option(names = "--corr-id", paramLabel = "ID", description = "The correlation id.")
  private @Nullable String correlationId;

  @Override
  ExitCode run(JsonOutput out) throws IOException {
    try (Mailbox<byte[], byte[]> mailbox = service.mailbox(surroundings(), topic);
        InputStream in = Input.open(file, surroundings())) {
      checkOptions(mailbox.features());
      return lines ? sendLines(mailbox, in, out) : sendWhole(mailbox, in, out);
    }
  }

  private void checkOptions(BackendFeatures bounds) {
    if (key != null && (lines || keyFrom != null)) {
      throw new UsageException("--key is for one message, and excludes --lines and --key-from");
    }
    if (rejects != null && !lines) {
      throw new UsageException("--rejects needs --lines");
    }
    if (delay.compareTo(bounds.maxDelay()) > 0 || attributes.size() > bounds.maxAttributes()) {
      throw new UsageException(
          "a message has a delay of at most 7d and " + bounds.maxAttributes() + " attributes");
    }
    // Checks the other options before the first message, too.
    outgoing(new byte[0], key);
  }

  private ExitCode sendWhole(Mailbox<byte[], byte[]> mailbox, InputStream in, JsonOutput out) {
    byte[] body = read(in, mailbox.features().maxBodyBytes() + 1);
    LineKeys keys = keys();
    Sent sent = mailbox.send(outgoing(body, keys == null ? key : keys.key(body, 1)));
    out.line(result(sent));
    return ExitCode.DONE;
  }

  private byte[] read(InputStream in, int atMost) {
    try {
      return in.readNBytes(atMost);
    } catch (IOException e) {
      throw Input.unreadable(file, e);
    }
  }

  private ExitCode sendLines(Mailbox<byte[], byte[]> mailbox, InputStream in, JsonOutput out)
      throws IOException {
    long size = Input.isStandard(file) ? 0 : Files.size(file);
    LineKeys keys = keys();
    try (Rejects rejected = Rejects.to(rejects, file);
        Progress progress = console().progress("send", size == 0 ? -1 : size, "bytes")) {
      LineSender sender =
          new LineSender(
              mailbox,
              keys == null ? new LineKeys(null, service.keyPrefix(surroundings())) : keys,
              this::outgoing,
              rejected,
              out);
      return sender.send(new LineSource(in), progress);
    }
  }

  private @Nullable LineKeys keys() {
    if (keyFrom == null) {
      return null;
    }
    try {
      return new LineKeys(JsonPointer.compile(keyFrom), "");
    } catch (IllegalArgumentException e) {
      throw new UsageException("--key-from is a JSON pointer, such as /order/id", e);
    }
  }

  private Outgoing<byte[], Object> outgoing(byte[] body, @Nullable String withKey) {
    try {
      Outgoing.Builder<byte[], Object> message =
          Outgoing.builder(body).delay(delay).attributes(attributes);
      if (withKey != null) {
        message.key(withKey);
      }
      if (group != null) {
        message.group(group);
      }
      if (correlationId != null) {
        message.correlationId(correlationId);
      }
      return message.build();
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  static ObjectNode result(Sent sent) {
    return JsonOutput.object().put("msg_id", sent.id()).put("duplicate", sent.duplicate());
  }
}
