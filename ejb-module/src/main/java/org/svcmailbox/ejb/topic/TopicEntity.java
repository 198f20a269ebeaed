package org.svcmailbox.ejb.topic;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.settings.RedrivePolicy;
import org.svcmailbox.core.topic.RetentionOverrides;
import org.svcmailbox.core.topic.SharedTopicStore.Row;
import org.svcmailbox.core.topic.SharedTopicStore.Stage;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicState;
import org.svcmailbox.core.topic.TopicStore.StoredTopic;

/** A topic's row; periods are in milliseconds. */
@Entity
@Table(name = "topic")
@NamedQuery(name = TopicEntity.DELETE, query = "delete from TopicEntity t where t.id = :id")
@NamedQuery(name = TopicEntity.ALL, query = "select t from TopicEntity t")
@NamedQuery(
    name = TopicEntity.CHANGED,
    query = "select t from TopicEntity t where t.changed > :version")
@NamedQuery(name = TopicEntity.ENDED, query = "select t from TopicEntity t where t.stage <> 'LIVE'")
@NamedQuery(name = TopicEntity.BY_NAME, query = "select t from TopicEntity t where t.name = :name")
class TopicEntity {
  static final String DELETE = "TopicEntity.delete";
  static final String ALL = "TopicEntity.all";
  static final String CHANGED = "TopicEntity.changed";
  static final String ENDED = "TopicEntity.ended";
  static final String BY_NAME = "TopicEntity.byName";

  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  @Column(name = "id")
  private int id;

  @Column(name = "name")
  private String name;

  @Column(name = "ready_shards")
  private @Nullable Integer readyShards;

  @Column(name = "shard_capacity")
  private @Nullable Integer shardCapacity;

  @Column(name = "t_replay")
  private @Nullable Long tReplay;

  @Column(name = "max_attempts")
  private @Nullable Integer maxAttempts;

  @Column(name = "default_visibility")
  private @Nullable Long defaultVisibility;

  @Column(name = "backoff_base")
  private @Nullable Long backoffBase;

  @Column(name = "backoff_max")
  private @Nullable Long backoffMax;

  @Column(name = "retention_ready")
  private @Nullable Long retentionReady;

  @Column(name = "retention_ready_count")
  private @Nullable Integer retentionReadyCount;

  @Column(name = "retention_ready_bytes")
  private @Nullable Long retentionReadyBytes;

  @Column(name = "retention_inflight")
  private @Nullable Long retentionInflight;

  @Column(name = "retention_inflight_count")
  private @Nullable Integer retentionInflightCount;

  @Column(name = "retention_dlq")
  private @Nullable Long retentionDlq;

  @Column(name = "retention_dlq_count")
  private @Nullable Integer retentionDlqCount;

  @Column(name = "alert_ready_age")
  private @Nullable Long alertReadyAge;

  @Column(name = "reprocess_after")
  private @Nullable Long reprocessAfter;

  @Column(name = "reprocess_times")
  private @Nullable Integer reprocessTimes;

  @Column(name = "version")
  private int version;

  @Column(name = "paused")
  private int paused;

  @Column(name = "live_shards")
  private int liveShards;

  @Column(name = "made_shards")
  private int madeShards;

  /** The version of the last change that a node made. */
  @Column(name = "changed")
  private long changed;

  /** {@link Stage}, by its name. */
  @Column(name = "stage")
  private String stage = Stage.LIVE.name();

  @SuppressWarnings("NullAway.Init")
  protected TopicEntity() {}

  TopicEntity(TopicName name, TopicState state) {
    this.name = name.value();
    set(state);
  }

  final void set(TopicState state) {
    version = state.version();
    paused = state.paused() ? 1 : 0;
    liveShards = state.liveShards();
    madeShards = state.madeShards();
    set(state.overrides());
    set(state.overrides().retention());
  }

  private void set(TopicOverrides overrides) {
    readyShards = overrides.readyShards();
    shardCapacity = overrides.shardCapacity();
    tReplay = millis(overrides.tReplay());
    maxAttempts = overrides.maxAttempts();
    defaultVisibility = millis(overrides.defaultVisibility());
    backoffBase = millis(overrides.backoffBase());
    backoffMax = millis(overrides.backoffMax());
    alertReadyAge = millis(overrides.alertReadyAge());
    RedrivePolicy redrive = overrides.redrive();
    reprocessAfter = redrive == null ? null : millis(redrive.after());
    reprocessTimes = redrive == null ? null : redrive.times();
  }

  private void set(RetentionOverrides retention) {
    retentionReady = millis(retention.ready());
    retentionReadyCount = retention.readyCount();
    retentionReadyBytes = retention.readyBytes();
    retentionInflight = millis(retention.inflight());
    retentionInflightCount = retention.inflightCount();
    retentionDlq = millis(retention.dlq());
    retentionDlqCount = retention.dlqCount();
  }

  int id() {
    return id;
  }

  long changed() {
    return changed;
  }

  void changed(long now) {
    changed = now;
  }

  Stage stage() {
    return Stage.valueOf(stage);
  }

  void stage(Stage now) {
    stage = now.name();
  }

  Row row() {
    return new Row(stored(), changed, stage());
  }

  StoredTopic stored() {
    TopicOverrides overrides =
        new TopicOverrides(
            readyShards,
            shardCapacity,
            period(tReplay),
            maxAttempts,
            period(defaultVisibility),
            period(backoffBase),
            period(backoffMax),
            new RetentionOverrides(
                period(retentionReady),
                retentionReadyCount,
                retentionReadyBytes,
                period(retentionInflight),
                retentionInflightCount,
                period(retentionDlq),
                retentionDlqCount),
            period(alertReadyAge),
            reprocessAfter == null || reprocessTimes == null
                ? null
                : new RedrivePolicy(Duration.ofMillis(reprocessAfter), reprocessTimes));
    TopicState state = new TopicState(overrides, version, paused != 0, liveShards, madeShards);
    return new StoredTopic(id, new TopicName(name), state);
  }

  private static @Nullable Long millis(@Nullable Duration period) {
    return period == null ? null : period.toMillis();
  }

  private static @Nullable Duration period(@Nullable Long millis) {
    return millis == null ? null : Duration.ofMillis(millis);
  }
}
