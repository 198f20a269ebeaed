package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Receives messages: prints them, prints and acknowledges them, or runs a command for each. */
@Command(
    name = "recv",
    description = "Receives messages and prints them, or runs a command for each.",
    footer = {
      "",
      "Without --ack and --exec, the messages stay hidden from others until their",
      "leases end, or until ack or nack is given their lines."
    })
final class RecvCommand extends CliCommand {
  private static final Duration LONGEST_WAIT = Duration.ofDays(365);

  @Mixin private ServiceOptions service;

  @Parameters(index = "0", paramLabel = "TOPIC", converter = Values.Topic.class)
  private String topic;

  @Option(
      names = {"-n", "--max"},
      paramLabel = "NUMBER",
      converter = Values.Count.class,
      description = "How many messages, at most; by default 1, and with --stream all.")
  private @Nullable Integer number;

  @Option(
      names = "--stream",
      description = {
        "Keep one connection open, on which messages come as they are ready, until Ctrl-C, the end"
            + " of --wait or --max.",
        "A stream that is cut is resumed."
      })
  private boolean streams;

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      description =
          "How long to wait for the next message; by default not at all, and with --stream for"
              + " ever.")
  private @Nullable Duration wait;

  @Option(
      names = "--visibility",
      paramLabel = "DURATION",
      description = "How long a lease lasts; by default as the topic says.")
  private @Nullable Duration visibility;

  @Option(names = "--ack", description = "Acknowledge each message after its line was written out.")
  private boolean acknowledges;

  @Option(
      names = "--exec",
      paramLabel = "COMMAND",
      description = {
        "Run a shell command for each message, one after the other, with the body as its input.",
        "Exit code 0 acknowledges; any other nacks, with the last line of its error stream as the"
            + " reason. The lease is extended while it runs.",
        "It finds $$MAILBOX_TOPIC, $$MAILBOX_MSG_ID, $$MAILBOX_ATTEMPT and, with all fields"
            + " but the body, $$MAILBOX_MESSAGE."
      })
  private @Nullable String command;

  @Option(
      names = "--retry-delay",
      paramLabel = "DURATION",
      description =
          "With --exec, how long a failed message stays hidden; by default a minute for each"
              + " attempt, up to 15 minutes.")
  private @Nullable Duration retryDelay;

  @Override
  ExitCode run(JsonOutput out) throws Exception {
    checkOptions();
    try (HttpService calls = service.service(surroundings(), streams ? topic : null)) {
      Consumer consumer =
          command != null
              ? new ExecutingConsumer(calls, command, retryDelay, surroundings(), console(), out)
              : new PrintingConsumer(calls, acknowledges, console(), out);
      return interrupts().tidily(() -> receive(calls, consumer));
    }
  }

  private void checkOptions() {
    if (command != null && acknowledges) {
      throw new UsageException("--exec acknowledges by itself, and excludes --ack");
    }
    if (retryDelay != null && command == null) {
      throw new UsageException("--retry-delay needs --exec");
    }
    if (streams && wait != null && wait.isZero()) {
      throw new UsageException("--stream waits: --wait is longer than 0");
    }
    if (wait != null && wait.compareTo(LONGEST_WAIT) > 0) {
      throw new UsageException("--wait is at most 365d");
    }
    BackendFeatures bounds = BackendFeatures.HTTP;
    if (visibility != null
        && (visibility.compareTo(bounds.minVisibility()) < 0
            || visibility.compareTo(bounds.maxVisibility()) > 0)) {
      throw new UsageException("--visibility is from 250ms to 12h");
    }
    if (retryDelay != null && retryDelay.compareTo(bounds.maxVisibility()) > 0) {
      throw new UsageException("--retry-delay is at most 12h");
    }
  }

  /** Handles received messages. */
  interface Consumer {
    /** How many messages it takes at once. */
    int atOnce();

    /** Handles messages that are verified. */
    void consume(List<JsonNode> messages, CombinedExit outcomes) throws InterruptedException;
  }

  private ExitCode receive(HttpService calls, Consumer consumer) throws InterruptedException {
    CombinedExit outcomes = new CombinedExit();
    int left = most();
    long end = end();
    while (left > 0) {
      Duration waiting = waiting(end);
      List<JsonNode> messages =
          calls.receive(topic, Math.min(left, consumer.atOnce()), visibility, waiting);
      if (!messages.isEmpty()) {
        consumer.consume(genuine(calls, messages, outcomes), outcomes);
        left -= messages.size();
        end = end();
      } else if (waiting(end).isZero()) {
        break;
      }
    }
    return outcomes.together();
  }

  private int most() {
    if (number != null) {
      return number;
    }
    return streams ? Integer.MAX_VALUE : 1;
  }

  private long end() {
    Duration otherwise = streams ? LONGEST_WAIT : Duration.ZERO;
    return System.nanoTime() + (wait != null ? wait : otherwise).toNanos();
  }

  private static Duration waiting(long end) {
    Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    Duration longest = BackendFeatures.HTTP.maxWait();
    return left.compareTo(longest) < 0 ? left : longest;
  }

  /** Returns altered messages to the service; keeps the others. */
  private List<JsonNode> genuine(
      HttpService calls, List<JsonNode> messages, CombinedExit outcomes) {
    List<JsonNode> genuine = new ArrayList<>();
    for (JsonNode message : messages) {
      Optional<String> fault =
          message.path("topic").asText().equals(topic)
              ? Envelopes.mismatch(message)
              : Optional.of("it is of another topic");
      if (fault.isEmpty()) {
        genuine.add(message);
      } else {
        String id = message.path("msg_id").asText();
        console().note("message " + id + " is not as it was sent: " + fault.get());
        outcomes.add(ExitCode.NOT_VERIFIED);
        calls.nack(List.of(Envelopes.receipt(message).put("reason", fault.get())));
      }
    }
    return genuine;
  }
}
