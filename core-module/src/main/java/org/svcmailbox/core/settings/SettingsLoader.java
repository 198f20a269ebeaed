package org.svcmailbox.core.settings;

import static org.svcmailbox.core.settings.Setting.ACCEPT;
import static org.svcmailbox.core.settings.Setting.AMNESIA;
import static org.svcmailbox.core.settings.Setting.AMNESIA_MAX_BYTES;
import static org.svcmailbox.core.settings.Setting.BACKOFF_BASE;
import static org.svcmailbox.core.settings.Setting.BACKOFF_MAX;
import static org.svcmailbox.core.settings.Setting.CAP_CACHE_TTL;
import static org.svcmailbox.core.settings.Setting.CAP_OUTAGE_TTL;
import static org.svcmailbox.core.settings.Setting.CONSOLE_CAPABILITY_LIFE;
import static org.svcmailbox.core.settings.Setting.CONSOLE_MAX_SESSIONS;
import static org.svcmailbox.core.settings.Setting.CONSOLE_SESSION_IDLE;
import static org.svcmailbox.core.settings.Setting.CONSOLE_SESSION_MAX;
import static org.svcmailbox.core.settings.Setting.CONSOLE_URL;
import static org.svcmailbox.core.settings.Setting.DEDUP_CAPACITY;
import static org.svcmailbox.core.settings.Setting.DEFAULT_VISIBILITY;
import static org.svcmailbox.core.settings.Setting.DISK_RESERVE;
import static org.svcmailbox.core.settings.Setting.DLQ_MAX_JOBS;
import static org.svcmailbox.core.settings.Setting.DLQ_RATE;
import static org.svcmailbox.core.settings.Setting.DRAIN_DEADLINE;
import static org.svcmailbox.core.settings.Setting.EVENTS_MAX_STREAMS;
import static org.svcmailbox.core.settings.Setting.FAIR_SHARE;
import static org.svcmailbox.core.settings.Setting.GLOBAL_INFLIGHT;
import static org.svcmailbox.core.settings.Setting.GLOBAL_INFLIGHT_BYTES;
import static org.svcmailbox.core.settings.Setting.GRPC_ENABLED;
import static org.svcmailbox.core.settings.Setting.GRPC_PORT;
import static org.svcmailbox.core.settings.Setting.IDLE_TIMEOUT;
import static org.svcmailbox.core.settings.Setting.MAX_ATTEMPTS;
import static org.svcmailbox.core.settings.Setting.MAX_ATTRS;
import static org.svcmailbox.core.settings.Setting.MAX_ATTR_VALUE;
import static org.svcmailbox.core.settings.Setting.MAX_BATCH;
import static org.svcmailbox.core.settings.Setting.MAX_CONNS;
import static org.svcmailbox.core.settings.Setting.MAX_CONNS_PER_ADDRESS;
import static org.svcmailbox.core.settings.Setting.MAX_FRAME;
import static org.svcmailbox.core.settings.Setting.MAX_MINTED;
import static org.svcmailbox.core.settings.Setting.MAX_REVOKED;
import static org.svcmailbox.core.settings.Setting.MAX_WAITING;
import static org.svcmailbox.core.settings.Setting.METRICS_FROM;
import static org.svcmailbox.core.settings.Setting.METRICS_TOPICS;
import static org.svcmailbox.core.settings.Setting.OIDC_CLIENT_ID;
import static org.svcmailbox.core.settings.Setting.OIDC_CLIENT_SECRET;
import static org.svcmailbox.core.settings.Setting.OIDC_OPERATOR;
import static org.svcmailbox.core.settings.Setting.OIDC_PROVIDER;
import static org.svcmailbox.core.settings.Setting.OIDC_ROLE_CLAIM;
import static org.svcmailbox.core.settings.Setting.OIDC_SCOPE;
import static org.svcmailbox.core.settings.Setting.OIDC_USER_CLAIM;
import static org.svcmailbox.core.settings.Setting.OIDC_VIEWER;
import static org.svcmailbox.core.settings.Setting.PROJECTION_BYTES;
import static org.svcmailbox.core.settings.Setting.PROJECTION_ENTRIES;
import static org.svcmailbox.core.settings.Setting.RATE_ADDRESS;
import static org.svcmailbox.core.settings.Setting.RATE_BUCKETS;
import static org.svcmailbox.core.settings.Setting.RATE_TOPIC;
import static org.svcmailbox.core.settings.Setting.READY_SHARDS;
import static org.svcmailbox.core.settings.Setting.READ_TIMEOUT;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_MAX_BYTES;
import static org.svcmailbox.core.settings.Setting.RETENTION_AUDIT;
import static org.svcmailbox.core.settings.Setting.RETENTION_DLQ;
import static org.svcmailbox.core.settings.Setting.RETENTION_DLQ_COUNT;
import static org.svcmailbox.core.settings.Setting.RETENTION_INFLIGHT_COUNT;
import static org.svcmailbox.core.settings.Setting.RETENTION_LEDGER;
import static org.svcmailbox.core.settings.Setting.RETENTION_LEDGER_BYTES;
import static org.svcmailbox.core.settings.Setting.RETENTION_READY;
import static org.svcmailbox.core.settings.Setting.RETENTION_READY_COUNT;
import static org.svcmailbox.core.settings.Setting.ROOT_KEYS;
import static org.svcmailbox.core.settings.Setting.SHARD_CAPACITY;
import static org.svcmailbox.core.settings.Setting.STORE_JOIN;
import static org.svcmailbox.core.settings.Setting.STREAMS;
import static org.svcmailbox.core.settings.Setting.STREAM_CHUNK;
import static org.svcmailbox.core.settings.Setting.TOPICS_AUTO_CREATE;
import static org.svcmailbox.core.settings.Setting.TOPICS_MAX;
import static org.svcmailbox.core.settings.Setting.TRUSTED_PROXIES;
import static org.svcmailbox.core.settings.Setting.T_REPLAY;
import static org.svcmailbox.core.settings.Setting.VISIBILITY_MAX;
import static org.svcmailbox.core.settings.Setting.VISIBILITY_MIN;
import static org.svcmailbox.core.settings.Setting.WORKERS;
import static org.svcmailbox.core.settings.Setting.WRITE_TIMEOUT;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.capability.RootKey;
import org.svcmailbox.core.settings.MailboxSettings.Amnesia;
import org.svcmailbox.core.settings.MailboxSettings.Bounds;
import org.svcmailbox.core.settings.MailboxSettings.Capabilities;
import org.svcmailbox.core.settings.MailboxSettings.Console;
import org.svcmailbox.core.settings.MailboxSettings.Grpc;
import org.svcmailbox.core.settings.MailboxSettings.Intake;
import org.svcmailbox.core.settings.MailboxSettings.Oidc;
import org.svcmailbox.core.settings.MailboxSettings.Projection;
import org.svcmailbox.core.settings.MailboxSettings.Rates;
import org.svcmailbox.core.settings.MailboxSettings.Redrive;
import org.svcmailbox.core.settings.MailboxSettings.Request;
import org.svcmailbox.core.settings.MailboxSettings.Retention;
import org.svcmailbox.core.settings.MailboxSettings.Topics;
import org.svcmailbox.core.settings.MailboxSettings.Visibility;

/** Reads all settings once and reports all violations together. */
public final class SettingsLoader {
  /** Fits in memory at ten thousand messages a second. */
  private static final String AMNESIC_LEDGER = "10m";

  /** Half of SQLite's share of memory; keys need the other half. */
  private static final String AMNESIC_LEDGER_BYTES = "536870912";

  private static final String NONE = "none";
  private static final String ANY = "any";

  /** The heap holds four times what the rendezvous service may keep. */
  private static final int HEAP_SHARES = 4;

  private final Function<String, Optional<String>> source;
  private final int cores;
  private final long heap;
  private final List<String> violations = new ArrayList<>();

  private SettingsLoader(Function<String, Optional<String>> source, int cores, long heap) {
    this.source = source;
    this.cores = cores;
    this.heap = heap;
  }

  /**
   * Loads the settings of this process.
   *
   * @param source empty for keys whose default applies
   * @param keys all keys of the source; those that begin with {@code mailbox.} must exist
   * @param cores processors of this machine
   * @throws SettingsException naming the key of every violation
   */
  public static MailboxSettings load(
      Function<String, Optional<String>> source, Set<String> keys, int cores) {
    return load(source, keys, cores, Runtime.getRuntime().maxMemory());
  }

  /**
   * As above, for a service in another process.
   *
   * @param heap its heap in bytes; {@code Long.MAX_VALUE} when unknown
   */
  public static MailboxSettings load(
      Function<String, Optional<String>> source, Set<String> keys, int cores, long heap) {
    SettingsLoader loader = new SettingsLoader(source, cores, heap);
    loader.refuseUnknown(keys);
    MailboxSettings settings = loader.read();
    if (!loader.violations.isEmpty()) {
      throw new SettingsException(loader.violations);
    }
    return settings;
  }

  private void refuseUnknown(Set<String> keys) {
    keys.stream()
        .filter(key -> key.startsWith(Setting.PREFIX) && Setting.ofKey(key).isEmpty())
        .sorted()
        .forEach(key -> violations.add(key + " is not a setting"));
  }

  private MailboxSettings read() {
    Visibility visibility = new Visibility(duration(VISIBILITY_MIN), duration(VISIBILITY_MAX));
    TopicSettings defaults = topicDefaults();
    ordered(VISIBILITY_MIN, visibility.min(), DEFAULT_VISIBILITY, defaults.defaultVisibility());
    ordered(DEFAULT_VISIBILITY, defaults.defaultVisibility(), VISIBILITY_MAX, visibility.max());
    ordered(BACKOFF_BASE, defaults.backoffBase(), BACKOFF_MAX, defaults.backoffMax());
    ordered(CAP_CACHE_TTL, duration(CAP_CACHE_TTL), CAP_OUTAGE_TTL, duration(CAP_OUTAGE_TTL));
    return new MailboxSettings(
        count(WORKERS),
        new Bounds(
            count(GLOBAL_INFLIGHT),
            count(GLOBAL_INFLIGHT_BYTES),
            count(DEDUP_CAPACITY),
            count(MAX_WAITING),
            count(STREAMS),
            countOrDefault(DISK_RESERVE),
            new FairShare(count(FAIR_SHARE))),
        new Projection(count(PROJECTION_ENTRIES), count(PROJECTION_BYTES)),
        new Request(
            count(MAX_FRAME),
            count(MAX_BATCH),
            count(MAX_ATTRS),
            count(MAX_ATTR_VALUE),
            count(STREAM_CHUNK)),
        new Intake(
            count(MAX_CONNS),
            count(MAX_CONNS_PER_ADDRESS),
            duration(READ_TIMEOUT),
            duration(WRITE_TIMEOUT),
            duration(IDLE_TIMEOUT),
            addresses(TRUSTED_PROXIES),
            text(METRICS_FROM).equals(ANY)
                ? Optional.empty()
                : Optional.of(addresses(METRICS_FROM))),
        new Retention(
            duration(RETENTION_LEDGER), number(RETENTION_LEDGER_BYTES), duration(RETENTION_AUDIT)),
        duration(DRAIN_DEADLINE),
        visibility,
        new Topics(flag(TOPICS_AUTO_CREATE), count(TOPICS_MAX), count(METRICS_TOPICS)),
        new Capabilities(
            duration(CAP_CACHE_TTL),
            duration(CAP_OUTAGE_TTL),
            keys(ROOT_KEYS),
            count(MAX_REVOKED),
            count(MAX_MINTED)),
        new Rates(count(RATE_ADDRESS), count(RATE_TOPIC), count(RATE_BUCKETS)),
        count(EVENTS_MAX_STREAMS),
        console(),
        new Redrive(count(DLQ_MAX_JOBS), count(DLQ_RATE)),
        given(STORE_JOIN),
        codes(ACCEPT),
        new Amnesia(flag(AMNESIA), count(AMNESIA_MAX_BYTES)),
        new BrokerReader(this).read(),
        new Grpc(flag(GRPC_ENABLED), count(GRPC_PORT)),
        new RendezvousReader(this).read(),
        defaults);
  }

  private List<String> codes(Setting setting) {
    return list(setting).stream().map(String::strip).filter(code -> !code.isEmpty()).toList();
  }

  private Console console() {
    return new Console(
        count(CONSOLE_MAX_SESSIONS),
        duration(CONSOLE_SESSION_IDLE),
        duration(CONSOLE_SESSION_MAX),
        duration(CONSOLE_CAPABILITY_LIFE),
        url(CONSOLE_URL),
        oidc());
  }

  private Optional<Oidc> oidc() {
    Optional<URI> provider = url(OIDC_PROVIDER);
    Optional<String> clientId = given(OIDC_CLIENT_ID);
    Optional<String> clientSecret = given(OIDC_CLIENT_SECRET);
    String scope = text(OIDC_SCOPE);
    String userClaim = text(OIDC_USER_CLAIM);
    String roleClaim = text(OIDC_ROLE_CLAIM);
    String viewer = text(OIDC_VIEWER);
    String operator = text(OIDC_OPERATOR);
    if (provider.isEmpty() && clientId.isEmpty() && clientSecret.isEmpty()) {
      return Optional.empty();
    }
    if (provider.isEmpty() || clientId.isEmpty() || clientSecret.isEmpty()) {
      violations.add(
          "%s, %s and %s are given together"
              .formatted(OIDC_PROVIDER.key(), OIDC_CLIENT_ID.key(), OIDC_CLIENT_SECRET.key()));
      return Optional.empty();
    }
    return Optional.of(
        new Oidc(
            provider.get(),
            clientId.get(),
            clientSecret.get(),
            scope,
            userClaim,
            roleClaim,
            viewer,
            operator));
  }

  Optional<String> given(Setting setting) {
    String value = text(setting);
    return value.equals(setting.byDefault()) || value.isEmpty()
        ? Optional.empty()
        : Optional.of(value);
  }

  Optional<Path> path(Setting setting) {
    try {
      return given(setting).map(Path::of);
    } catch (InvalidPathException e) {
      violations.add(setting.key() + " must be a path");
      return Optional.empty();
    }
  }

  private Optional<URI> url(Setting setting) {
    Optional<URI> url = given(setting).flatMap(SettingsLoader::http);
    if (url.isEmpty() && given(setting).isPresent()) {
      violations.add(setting.key() + " must be a URL that begins with https:// or http://");
    }
    return url;
  }

  private static Optional<URI> http(String text) {
    try {
      URI url = new URI(text);
      boolean isHttp = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
      boolean isPlain = url.getQuery() == null && url.getFragment() == null;
      return isHttp && isPlain && url.getHost() != null ? Optional.of(url) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private TopicSettings topicDefaults() {
    return new TopicSettings(
        count(READY_SHARDS),
        count(SHARD_CAPACITY),
        duration(T_REPLAY),
        count(MAX_ATTEMPTS),
        duration(DEFAULT_VISIBILITY),
        duration(BACKOFF_BASE),
        duration(BACKOFF_MAX),
        new TopicRetention(
            duration(RETENTION_READY),
            count(RETENTION_READY_COUNT),
            null,
            count(RETENTION_INFLIGHT_COUNT),
            duration(RETENTION_DLQ),
            count(RETENTION_DLQ_COUNT)));
  }

  int count(Setting setting) {
    return Math.toIntExact(number(setting));
  }

  long number(Setting setting) {
    long least = Long.parseLong(setting.least());
    long most = Long.parseLong(setting.most());
    try {
      long value = Long.parseLong(text(setting));
      if (value >= least && value <= most) {
        return value;
      }
      outOfRange(setting);
    } catch (NumberFormatException e) {
      violations.add(setting.key() + " must be a whole number");
    }
    return least;
  }

  /** Empty for a default that is no number. */
  private OptionalInt countOrDefault(Setting setting) {
    return text(setting).equals(setting.byDefault())
        ? OptionalInt.empty()
        : OptionalInt.of(count(setting));
  }

  Duration duration(Setting setting) {
    Duration least = Durations.parse(setting.least());
    Duration most = Durations.parse(setting.most());
    try {
      Duration value = Durations.parse(text(setting));
      if (value.compareTo(least) >= 0 && value.compareTo(most) <= 0) {
        return value;
      }
      outOfRange(setting);
    } catch (IllegalArgumentException e) {
      violations.add(setting.key() + " is " + e.getMessage());
    }
    return Durations.parse(setting.byDefault());
  }

  boolean flag(Setting setting) {
    String value = text(setting);
    if (!value.equals("true") && !value.equals("false")) {
      violations.add(setting.key() + " must be true or false");
    }
    return value.equals("true");
  }

  /** Root keys by id; violations do not repeat the value. */
  private Map<String, RootKey> keys(Setting setting) {
    try {
      return RootKeyList.parse(list(setting));
    } catch (IllegalArgumentException e) {
      violations.add(setting.key() + " " + e.getMessage());
      return Map.of();
    }
  }

  List<IpRange> addresses(Setting setting) {
    List<IpRange> ranges = new ArrayList<>();
    for (String range : list(setting)) {
      IpRange.parse(range)
          .ifPresentOrElse(
              ranges::add,
              () ->
                  violations.add(setting.key() + " has " + range + ", which is no address range"));
    }
    return ranges;
  }

  List<String> list(Setting setting) {
    String value = text(setting);
    return value.equals(NONE) ? List.of() : List.of(value.split(",", -1));
  }

  String text(Setting setting) {
    return source.apply(setting.key()).map(String::trim).orElseGet(() -> byDefault(setting));
  }

  private String byDefault(Setting setting) {
    return switch (setting) {
      case WORKERS -> workersByDefault();
      case RETENTION_LEDGER -> inAmnesia(AMNESIC_LEDGER, setting);
      case RETENTION_LEDGER_BYTES -> inAmnesia(AMNESIC_LEDGER_BYTES, setting);
      case RENDEZVOUS_MAX_BYTES ->
          Long.toString(Math.min(Long.parseLong(setting.byDefault()), shareOfHeap()));
      default -> setting.byDefault();
    };
  }

  private String inAmnesia(String value, Setting setting) {
    return text(AMNESIA).equals("true") ? value : setting.byDefault();
  }

  /** One part's share, but never less than its minimum. */
  long shareOfHeap() {
    return Math.max(heap / HEAP_SHARES, Long.parseLong(RENDEZVOUS_MAX_BYTES.least()));
  }

  private String workersByDefault() {
    return Integer.toString(Math.min(cores, Integer.parseInt(WORKERS.most())));
  }

  /** Whether the source has a key that is no setting. */
  boolean isGiven(String key) {
    return source.apply(key).isPresent();
  }

  void violation(String text) {
    violations.add(text);
  }

  private void outOfRange(Setting setting) {
    violations.add(
        setting.key() + " must be between " + setting.least() + " and " + setting.most());
  }

  void ordered(Setting low, Duration lower, Setting high, Duration higher) {
    if (lower.compareTo(higher) > 0) {
      violations.add(low.key() + " must not be greater than " + high.key());
    }
  }
}
