package org.svcmailbox.core.settings;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.settings.RendezvousSettings.AuthMode;
import org.svcmailbox.core.settings.RendezvousSettings.StaticToken;

/** The settings of the rendezvous door. */
public final class RendezvousSetting {
  private static final long LEAST_MAX_BYTES = 2_097_152;
  private static final long MAX_BYTES_BY_DEFAULT = 134_217_728;

  static final SettingGroup GROUP = new SettingGroup();

  public static final Setting<Boolean> ENABLED = GROUP.flag("rendezvous.enabled").byDefault(false);

  public static final Setting<InetSocketAddress> LISTEN_ADDR =
      GROUP
          .form("rendezvous.listen_addr", RendezvousForms.ADDRESS_BOUNDS, RendezvousForms::address)
          .byDefault("127.0.0.1:8090");

  public static final Setting<AuthMode> AUTH_MODE =
      GROUP
          .form("rendezvous.auth_mode", RendezvousForms.MODE_BOUNDS, RendezvousForms::mode)
          .byDefault("server_wide");

  public static final Setting<List<StaticToken>> AUTH_TOKENS =
      GROUP
          .list(
              "rendezvous.auth_tokens",
              "token or recipient=token, several with commas",
              RendezvousForms::tokens)
          .byDefault("none");

  public static final Setting<Integer> MAX_MESSAGE_SIZE =
      GROUP.size("rendezvous.max_message_size").from(1).to(1_048_576).byDefault(65_536);

  public static final Setting<Integer> MAX_QUEUE_LENGTH =
      GROUP.count("rendezvous.max_queue_length").from(1).to(100_000).byDefault(100);

  public static final Setting<Duration> MESSAGE_TTL =
      GROUP.duration("rendezvous.message_ttl").from("100ms").to("24h").byDefault("5m");

  public static final Setting<Duration> IDLE_MAILBOX_TTL =
      GROUP.duration("rendezvous.idle_mailbox_ttl").from("100ms").to("7d").byDefault("1h");

  public static final Setting<Integer> MAX_MAILBOXES =
      GROUP.count("rendezvous.max_mailboxes").from(1).to(1_000_000).byDefault(10_000);

  public static final Setting<Long> MAX_BYTES =
      GROUP
          .longSize("rendezvous.max_bytes")
          .from(LEAST_MAX_BYTES)
          .to(2_000_000_000L)
          .byDefault("134217728", on -> Math.min(MAX_BYTES_BY_DEFAULT, shareOfHeap(on)));

  public static final Setting<Integer> MAX_WAITING =
      GROUP.count("rendezvous.max_waiting").from(1).to(100_000).byDefault(10_000);

  public static final Setting<Integer> MAX_WAITING_PER_MAILBOX =
      GROUP.count("rendezvous.max_waiting_per_mailbox").from(1).to(1_000).byDefault(16);

  public static final Setting<Integer> MAX_WAITING_PER_ADDRESS =
      GROUP.count("rendezvous.max_waiting_per_address").from(1).to(100_000).byDefault(64);

  public static final Setting<Integer> MAX_CONNECTIONS =
      GROUP.count("rendezvous.max_connections").from(1).to(100_000).byDefault(12_000);

  public static final Setting<Integer> POSTS_PER_MINUTE =
      GROUP.count("rendezvous.posts_per_minute").from(0).to(1_000_000).byDefault(60);

  public static final Setting<Integer> GETS_PER_MINUTE =
      GROUP.count("rendezvous.gets_per_minute").from(0).to(1_000_000).byDefault(120);

  public static final Setting<Integer> WINDOW_SECONDS =
      GROUP.count("rendezvous.window_seconds").from(1).to(3_600).byDefault(60);

  public static final Setting<Integer> IPV6_PREFIX =
      GROUP.count("rendezvous.ipv6_prefix").from(1).to(128).byDefault(64);

  public static final Setting<List<IpRange>> ALLOW =
      GROUP
          .list(
              "rendezvous.allow",
              "address ranges such as 10.0.0.0/8, several with commas",
              RendezvousForms::ranges)
          .byDefault("none");

  public static final Setting<List<IpRange>> BLOCK =
      GROUP
          .list(
              "rendezvous.block",
              "address ranges such as 10.0.0.0/8, several with commas",
              RendezvousForms::ranges)
          .byDefault("none");

  public static final Setting<List<String>> ORIGINS =
      GROUP
          .list(
              "rendezvous.origins",
              "* or origins such as https://app.example, several with commas",
              RendezvousForms::origins)
          .byDefault("none");

  public static final Setting<String> FORWARDED_HEADER =
      GROUP
          .word(
              "rendezvous.forwarded_header",
              "X-Forwarded-For or Forwarded",
              List.of("X-Forwarded-For", "Forwarded"))
          .byDefault("X-Forwarded-For");

  public static final Setting<List<IpRange>> METRICS_FROM =
      GROUP
          .addresses(
              "rendezvous.metrics_from", "address ranges such as 10.0.0.0/8, several with commas")
          .byDefault("127.0.0.0/8,::1/128");

  public static final Setting<Duration> EVICTION_INTERVAL =
      GROUP.duration("rendezvous.eviction_interval").from("100ms").to("1h").byDefault("10s");

  public static final Setting<Duration> SHUTDOWN_TIMEOUT =
      GROUP
          .duration("rendezvous.graceful_shutdown_timeout")
          .from("100ms")
          .to("30s")
          .byDefault("5s");

  public static final Setting<Optional<Path>> CERT_PATH =
      GROUP.path("rendezvous.tls.cert_path", "a PEM file").orNone();

  public static final Setting<Optional<Path>> KEY_PATH =
      GROUP.path("rendezvous.tls.key_path", "a PEM file, PKCS#8").orNone();

  public static final Setting<String> MIN_VERSION =
      GROUP
          .word("rendezvous.tls.min_version", "1.2 or 1.3", List.of("1.2", "1.3"))
          .byDefault("1.2");

  private RendezvousSetting() {}

  /** The most memory that the messages may take. */
  static long shareOfHeap(Deployment on) {
    return on.shareOfHeap(LEAST_MAX_BYTES);
  }
}
