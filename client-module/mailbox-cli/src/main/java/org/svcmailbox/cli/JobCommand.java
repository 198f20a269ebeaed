package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Applies an action of the service to dead letters: counts them, asks, starts a job, and follows it
 * to its end. The job continues without its follower.
 */
abstract class JobCommand extends CliCommand {
  private static final int MAX_IDS = 1000;

  @Mixin private ServiceOptions service;
  @Mixin private LetterFilterOptions filter;
  @Mixin private MoveOptions options;

  @Parameters(index = "0", paramLabel = "TOPIC", converter = Values.Topic.class)
  private String topic;

  @Parameters(
      index = "1..*",
      paramLabel = "MSG_ID",
      converter = Values.MessageId.class,
      description = "These letters; by default all that the options mean.")
  private List<String> messageIds = new ArrayList<>();

  @Option(
      names = "--rate",
      paramLabel = "NUMBER",
      converter = Values.Count.class,
      description = "Letters a second, at most.")
  private @Nullable Integer rate;

  @Option(names = "--detach", description = "Do not wait for the end of the job.")
  private boolean detach;

  private final String action;

  JobCommand(String action) {
    this.action = action;
  }

  /** How many letters it moves before it pauses; null for no pause. */
  abstract @Nullable Integer first();

  /** The topic that the letters go to; null for none, or for their own. */
  abstract @Nullable String target();

  /** The new time to live of the messages; null to keep their own. */
  abstract @Nullable Duration ttl();

  @Override
  final ExitCode run(JsonOutput out) throws Exception {
    options.check();
    if (!messageIds.isEmpty() && !filter.isEmpty()) {
      throw new UsageException("letters are named or described, not both");
    }
    if (messageIds.size() > MAX_IDS) {
      throw new UsageException("at most " + MAX_IDS + " letters can be named");
    }
    try (HttpService calls = service.service(surroundings())) {
      return run(calls, out);
    }
  }

  private ExitCode run(HttpService calls, JsonOutput out) throws Exception {
    String path = "/v1/dlq/" + topic + "/jobs";
    JsonNode counted = calls.post(path, order().put("dry_run", true));
    if (options.isDryRun() || counted.path("total").asLong() == 0) {
      out.line(counted);
      return ExitCode.DONE;
    }
    if (!options.isConfirmed(console(), question(counted))) {
      return ExitCode.INTERRUPTED;
    }
    JsonNode job = calls.post(path, order().put("note", options.note()));
    if (detach) {
      out.line(job);
      return ExitCode.DONE;
    }
    JobWatch watch = new JobWatch(calls, console(), out);
    return interrupts().tidily(() -> watch.follow(job));
  }

  private ObjectNode order() {
    ObjectNode order = JsonOutput.object().put("action", action);
    if (messageIds.isEmpty()) {
      order.set("filter", filter.json());
    } else {
      order.set("msg_ids", JsonOutput.json(messageIds));
    }
    if (rate != null) {
      order.put("rate_per_s", rate);
    }
    Integer first = first();
    if (first != null) {
      order.put("first", first);
    }
    String target = target();
    if (target != null) {
      order.put("to_topic", target);
    }
    Duration ttl = ttl();
    if (ttl != null) {
      order.put("ttl_ms", ttl.toMillis());
    }
    return order;
  }

  private String question(JsonNode counted) {
    List<String> reasons = new ArrayList<>();
    counted
        .path("by_reason")
        .properties()
        .forEach(reason -> reasons.add(reason.getValue() + " " + reason.getKey()));
    long total = counted.path("total").asLong();
    String target = target();
    String advice = counted.path("advice").asText();
    return advice
        + (advice.isEmpty() ? "" : "\n")
        + action
        + " "
        + total
        + (total == 1 ? " dead letter of " : " dead letters of ")
        + topic
        + " ("
        + String.join(", ", reasons)
        + ")"
        + (target == null ? "" : " to " + target)
        + "?";
  }
}
