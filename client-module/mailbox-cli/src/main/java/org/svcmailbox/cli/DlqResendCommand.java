package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends one dead letter again with changes. */
@Command(
    name = "resend",
    description = "Sends a dead letter again, as a new message, with something changed.")
final class DlqResendCommand extends CliCommand {
  @Mixin private ServiceOptions service;
  @Mixin private MoveOptions options;

  @Parameters(index = "0", paramLabel = "TOPIC", converter = Values.Topic.class)
  private String topic;

  @Parameters(index = "1", paramLabel = "MSG_ID", converter = Values.MessageId.class)
  private String messageId;

  @Option(
      names = "--payload",
      paramLabel = "FILE",
      description = "The new payload; by default the letter's own.")
  private @Nullable Path payload;

  @Option(
      names = "--attr",
      paramLabel = "NAME=VALUE",
      description = "The new attributes; by default the letter's own.")
  private @Nullable Map<String, String> attributes;

  @Option(
      names = "--to-topic",
      paramLabel = "TOPIC",
      converter = Values.Topic.class,
      description = "Where to; by default the letter's own topic.")
  private @Nullable String target;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "The new message's key; by default one made of the letter's id.")
  private @Nullable String key;

  @Option(
      names = "--ttl",
      paramLabel = "DURATION",
      description = "The new message's time to live; by default the letter's own.")
  private @Nullable Duration ttl;

  @Override
  ExitCode run(JsonOutput out) {
    options.check();
    try (HttpService calls = service.service(surroundings())) {
      String path = "/v1/dlq/" + topic + "/" + messageId;
      JsonNode letter = calls.get(path);
      if (options.isDryRun()) {
        out.line(counted(letter));
        return ExitCode.DONE;
      }
      ObjectNode order = order();
      if (!options.isConfirmed(console(), question(letter))) {
        return ExitCode.INTERRUPTED;
      }
      out.line(calls.post(path + "/resend", order));
      return ExitCode.DONE;
    }
  }

  /** The one letter in the form of a job's dry run. */
  private static ObjectNode counted(JsonNode letter) {
    ObjectNode counted = JsonOutput.object().put("dry_run", true).put("total", 1);
    counted.putObject("by_reason").put(letter.path("reason").asText(), 1);
    return counted;
  }

  private String question(JsonNode letter) {
    return "resend 1 dead letter of "
        + topic
        + " ("
        + letter.path("reason").asText()
        + ": "
        + letter.path("last_error").asText()
        + ") to "
        + (target == null ? topic : target)
        + "?";
  }

  private ObjectNode order() {
    ObjectNode order = JsonOutput.object().put("note", options.note());
    if (payload != null) {
      order.put("payload", read(payload));
    }
    if (attributes != null) {
      order.set("attrs", JsonOutput.json(attributes));
    }
    if (target != null) {
      order.put("to_topic", target);
    }
    if (key != null) {
      order.put("idem_key", key);
    }
    if (ttl != null) {
      order.put("ttl_ms", ttl.toMillis());
    }
    return order;
  }

  private byte[] read(Path file) {
    int most = BackendFeatures.HTTP.maxBodyBytes();
    try (InputStream in = Input.open(file, surroundings())) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new UsageException("a payload has at most " + most + " bytes");
      }
      return bytes;
    } catch (IOException e) {
      throw Input.unreadable(file, e);
    }
  }
}
