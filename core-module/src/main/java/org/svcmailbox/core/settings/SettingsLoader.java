package org.svcmailbox.core.settings;

import static org.svcmailbox.core.settings.ServiceSetting.ALERT_READY_AGE;
import static org.svcmailbox.core.settings.ServiceSetting.BACKOFF_BASE;
import static org.svcmailbox.core.settings.ServiceSetting.BACKOFF_MAX;
import static org.svcmailbox.core.settings.ServiceSetting.CAP_CACHE_TTL;
import static org.svcmailbox.core.settings.ServiceSetting.CAP_OUTAGE_TTL;
import static org.svcmailbox.core.settings.ServiceSetting.DEDUP_CAPACITY;
import static org.svcmailbox.core.settings.ServiceSetting.DEFAULT_VISIBILITY;
import static org.svcmailbox.core.settings.ServiceSetting.DISK_RESERVE;
import static org.svcmailbox.core.settings.ServiceSetting.DLQ_MAX_JOBS;
import static org.svcmailbox.core.settings.ServiceSetting.DLQ_RATE;
import static org.svcmailbox.core.settings.ServiceSetting.DRAIN_DEADLINE;
import static org.svcmailbox.core.settings.ServiceSetting.EVENTS_MAX_STREAMS;
import static org.svcmailbox.core.settings.ServiceSetting.FAIR_SHARE;
import static org.svcmailbox.core.settings.ServiceSetting.GLOBAL_INFLIGHT;
import static org.svcmailbox.core.settings.ServiceSetting.GLOBAL_INFLIGHT_BYTES;
import static org.svcmailbox.core.settings.ServiceSetting.HISTORY_KEEP;
import static org.svcmailbox.core.settings.ServiceSetting.HISTORY_TOPICS;
import static org.svcmailbox.core.settings.ServiceSetting.IDLE_TIMEOUT;
import static org.svcmailbox.core.settings.ServiceSetting.MAX_ATTEMPTS;
import static org.svcmailbox.core.settings.ServiceSetting.MAX_ATTRS;
import static org.svcmailbox.core.settings.ServiceSetting.MAX_ATTR_VALUE;
import static org.svcmailbox.core.settings.ServiceSetting.MAX_BATCH;
import static org.svcmailbox.core.settings.ServiceSetting.MAX_CONNS;
import static org.svcmailbox.core.settings.ServiceSetting.MAX_CONNS_PER_ADDRESS;
import static org.svcmailbox.core.settings.ServiceSetting.MAX_FRAME;
import static org.svcmailbox.core.settings.ServiceSetting.MAX_MINTED;
import static org.svcmailbox.core.settings.ServiceSetting.MAX_REVOKED;
import static org.svcmailbox.core.settings.ServiceSetting.MAX_WAITING;
import static org.svcmailbox.core.settings.ServiceSetting.METRICS_FROM;
import static org.svcmailbox.core.settings.ServiceSetting.METRICS_TOPICS;
import static org.svcmailbox.core.settings.ServiceSetting.PROJECTION_BYTES;
import static org.svcmailbox.core.settings.ServiceSetting.PROJECTION_ENTRIES;
import static org.svcmailbox.core.settings.ServiceSetting.RATE_ADDRESS;
import static org.svcmailbox.core.settings.ServiceSetting.RATE_BUCKETS;
import static org.svcmailbox.core.settings.ServiceSetting.RATE_TOPIC;
import static org.svcmailbox.core.settings.ServiceSetting.READY_SHARDS;
import static org.svcmailbox.core.settings.ServiceSetting.READ_TIMEOUT;
import static org.svcmailbox.core.settings.ServiceSetting.RETENTION_AUDIT;
import static org.svcmailbox.core.settings.ServiceSetting.RETENTION_DLQ;
import static org.svcmailbox.core.settings.ServiceSetting.RETENTION_DLQ_COUNT;
import static org.svcmailbox.core.settings.ServiceSetting.RETENTION_INFLIGHT_COUNT;
import static org.svcmailbox.core.settings.ServiceSetting.RETENTION_LEDGER;
import static org.svcmailbox.core.settings.ServiceSetting.RETENTION_LEDGER_BYTES;
import static org.svcmailbox.core.settings.ServiceSetting.RETENTION_READY;
import static org.svcmailbox.core.settings.ServiceSetting.RETENTION_READY_COUNT;
import static org.svcmailbox.core.settings.ServiceSetting.ROOT_KEYS;
import static org.svcmailbox.core.settings.ServiceSetting.SHARD_CAPACITY;
import static org.svcmailbox.core.settings.ServiceSetting.STREAMS;
import static org.svcmailbox.core.settings.ServiceSetting.STREAM_CHUNK;
import static org.svcmailbox.core.settings.ServiceSetting.TOPICS_AUTO_CREATE;
import static org.svcmailbox.core.settings.ServiceSetting.TOPICS_MAX;
import static org.svcmailbox.core.settings.ServiceSetting.TRUSTED_PROXIES;
import static org.svcmailbox.core.settings.ServiceSetting.T_REPLAY;
import static org.svcmailbox.core.settings.ServiceSetting.VISIBILITY_MAX;
import static org.svcmailbox.core.settings.ServiceSetting.VISIBILITY_MIN;
import static org.svcmailbox.core.settings.ServiceSetting.WORKERS;
import static org.svcmailbox.core.settings.ServiceSetting.WRITE_TIMEOUT;

import java.net.URI;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.svcmailbox.core.settings.MailboxSettings.Amnesia;
import org.svcmailbox.core.settings.MailboxSettings.Bounds;
import org.svcmailbox.core.settings.MailboxSettings.Capabilities;
import org.svcmailbox.core.settings.MailboxSettings.Console;
import org.svcmailbox.core.settings.MailboxSettings.Grpc;
import org.svcmailbox.core.settings.MailboxSettings.History;
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
  private final SettingValues values;

  private SettingsLoader(SettingValues values) {
    this.values = values;
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
   * @param heap its heap in bytes; {@code Long.MAX_VALUE} if unknown
   */
  public static MailboxSettings load(
      Function<String, Optional<String>> source, Set<String> keys, int cores, long heap) {
    SettingValues values = new SettingValues(source, keys, cores, heap);
    MailboxSettings settings = new SettingsLoader(values).read();
    values.check();
    return settings;
  }

  private MailboxSettings read() {
    values.ordered(VISIBILITY_MIN, DEFAULT_VISIBILITY);
    values.ordered(DEFAULT_VISIBILITY, VISIBILITY_MAX);
    values.ordered(BACKOFF_BASE, BACKOFF_MAX);
    values.ordered(CAP_CACHE_TTL, CAP_OUTAGE_TTL);
    return new MailboxSettings(
        values.get(WORKERS),
        new Bounds(
            values.get(GLOBAL_INFLIGHT),
            values.get(GLOBAL_INFLIGHT_BYTES),
            values.get(DEDUP_CAPACITY),
            values.get(MAX_WAITING),
            values.get(STREAMS),
            values.get(DISK_RESERVE).map(OptionalInt::of).orElseGet(OptionalInt::empty),
            new FairShare(values.get(FAIR_SHARE))),
        new Projection(values.get(PROJECTION_ENTRIES), values.get(PROJECTION_BYTES)),
        new Request(
            values.get(MAX_FRAME),
            values.get(MAX_BATCH),
            values.get(MAX_ATTRS),
            values.get(MAX_ATTR_VALUE),
            values.get(STREAM_CHUNK)),
        new Intake(
            values.get(MAX_CONNS),
            values.get(MAX_CONNS_PER_ADDRESS),
            values.get(READ_TIMEOUT),
            values.get(WRITE_TIMEOUT),
            values.get(IDLE_TIMEOUT),
            values.get(TRUSTED_PROXIES),
            values.get(METRICS_FROM)),
        new Retention(
            values.get(RETENTION_LEDGER),
            values.get(RETENTION_LEDGER_BYTES),
            values.get(RETENTION_AUDIT)),
        values.get(DRAIN_DEADLINE),
        new Visibility(values.get(VISIBILITY_MIN), values.get(VISIBILITY_MAX)),
        new Topics(
            values.get(TOPICS_AUTO_CREATE), values.get(TOPICS_MAX), values.get(METRICS_TOPICS)),
        new Capabilities(
            values.get(CAP_CACHE_TTL),
            values.get(CAP_OUTAGE_TTL),
            values.get(ROOT_KEYS),
            values.get(MAX_REVOKED),
            values.get(MAX_MINTED)),
        new Rates(values.get(RATE_ADDRESS), values.get(RATE_TOPIC), values.get(RATE_BUCKETS)),
        values.get(EVENTS_MAX_STREAMS),
        new History(values.get(HISTORY_KEEP), values.get(HISTORY_TOPICS)),
        console(),
        new Redrive(values.get(DLQ_MAX_JOBS), values.get(DLQ_RATE)),
        values.get(StoreSetting.JOIN),
        values.get(StoreSetting.ACCEPT),
        new Amnesia(values.get(StoreSetting.AMNESIA), values.get(StoreSetting.AMNESIA_MAX_BYTES)),
        new BrokerReader(values).read(),
        new ClusterReader(values).read(),
        new Grpc(values.get(GrpcSetting.ENABLED), values.get(GrpcSetting.PORT)),
        new RendezvousReader(values).read(),
        topicDefaults());
  }

  private Console console() {
    return new Console(
        values.get(ConsoleSetting.MAX_SESSIONS),
        values.get(ConsoleSetting.SESSION_IDLE),
        values.get(ConsoleSetting.SESSION_MAX),
        values.get(ConsoleSetting.CAPABILITY_LIFE),
        values.get(ConsoleSetting.CONFIRMED_FOR),
        values.get(ConsoleSetting.URL),
        oidc());
  }

  private Optional<Oidc> oidc() {
    Optional<URI> provider = values.get(ConsoleSetting.OIDC_PROVIDER);
    Optional<String> clientId = values.get(ConsoleSetting.OIDC_CLIENT_ID);
    Optional<String> clientSecret = values.get(ConsoleSetting.OIDC_CLIENT_SECRET);
    if (provider.isEmpty() && clientId.isEmpty() && clientSecret.isEmpty()) {
      return Optional.empty();
    }
    if (provider.isEmpty() || clientId.isEmpty() || clientSecret.isEmpty()) {
      values.violation(
          "%s, %s and %s are given together"
              .formatted(
                  ConsoleSetting.OIDC_PROVIDER.key(),
                  ConsoleSetting.OIDC_CLIENT_ID.key(),
                  ConsoleSetting.OIDC_CLIENT_SECRET.key()));
      return Optional.empty();
    }
    return Optional.of(
        new Oidc(
            provider.get(),
            clientId.get(),
            clientSecret.get(),
            values.get(ConsoleSetting.OIDC_SCOPE),
            values.get(ConsoleSetting.OIDC_USER_CLAIM),
            values.get(ConsoleSetting.OIDC_ROLE_CLAIM),
            values.get(ConsoleSetting.OIDC_VIEWER),
            values.get(ConsoleSetting.OIDC_OPERATOR),
            values.get(ConsoleSetting.OIDC_ADMINISTRATOR)));
  }

  private TopicSettings topicDefaults() {
    return new TopicSettings(
        values.get(READY_SHARDS),
        values.get(SHARD_CAPACITY),
        values.get(T_REPLAY),
        values.get(MAX_ATTEMPTS),
        values.get(DEFAULT_VISIBILITY),
        values.get(BACKOFF_BASE),
        values.get(BACKOFF_MAX),
        new TopicRetention(
            values.get(RETENTION_READY),
            values.get(RETENTION_READY_COUNT),
            null,
            values.get(RETENTION_INFLIGHT_COUNT),
            values.get(RETENTION_DLQ),
            values.get(RETENTION_DLQ_COUNT)),
        values.get(ALERT_READY_AGE));
  }
}
