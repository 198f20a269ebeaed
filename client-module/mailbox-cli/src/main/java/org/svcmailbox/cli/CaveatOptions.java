package org.svcmailbox.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Caveat;
import picocli.CommandLine.Option;

/** The options that narrow a capability. */
final class CaveatOptions {
  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "This topic only, or all below a name: orders.*")
  private @Nullable String topic;

  @Option(
      names = "--mailbox",
      paramLabel = "RECIPIENT",
      description = "This mailbox of the rendezvous door only: 64 lower-case hex digits.")
  private @Nullable String mailbox;

  @Option(
      names = "--ops",
      paramLabel = "LIST",
      description = "These operations only, such as send or recv,ack,nack,extend.")
  private @Nullable String operations;

  @Option(
      names = "--idem-prefix",
      paramLabel = "PREFIX",
      description = "Messages only under keys that begin so, such as app1:")
  private @Nullable String idemPrefix;

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      description = "So many calls, such as 100/s, 600/m or 1000/h.")
  private @Nullable String rate;

  @Option(
      names = "--max-inflight",
      paramLabel = "NUMBER",
      converter = Values.Count.class,
      description = "So many leases at once.")
  private @Nullable Integer maxInflight;

  @Option(
      names = "--ip",
      paramLabel = "RANGE",
      description = "From these addresses only, such as 10.0.0.0/8.")
  private @Nullable String ip;

  @Option(
      names = "--caveat",
      paramLabel = "TEXT",
      description = "Any other, such as \"not_before > 2026-12-01T00:00:00Z\".")
  private List<String> others = new ArrayList<>();

  /**
   * The caveats of the options.
   *
   * @throws UsageException if the service would not know one
   */
  List<Caveat> caveats() {
    List<String> texts = new ArrayList<>();
    add(texts, "topic", topic);
    add(texts, "mailbox", mailbox);
    add(texts, "ops", operations);
    add(texts, "idem_prefix", idemPrefix);
    add(texts, "rate", rate);
    add(texts, "max_inflight", maxInflight);
    add(texts, "ip", ip);
    texts.addAll(others);
    try {
      return texts.stream().map(Caveat::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private static void add(List<String> texts, String name, @Nullable Object value) {
    if (value != null) {
      texts.add(name + " = " + value);
    }
  }

  /** The caveat for an end this far from now, in whole seconds. */
  static Caveat expiresIn(Duration life) {
    return Caveat.expires(Instant.now().plus(life).truncatedTo(ChronoUnit.SECONDS));
  }
}
