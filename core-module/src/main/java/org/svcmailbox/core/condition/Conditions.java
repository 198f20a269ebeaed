package org.svcmailbox.core.condition;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.condition.Observation.BoundUse;
import org.svcmailbox.core.condition.Observation.TopicLoad;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.TopicAdmin.DiskRoom;

/**
 * Decides from successive observations which conditions fire. It remembers since when each holds; a
 * restart forgets that. One thread.
 */
public final class Conditions {
  private static final int RESERVES = 4;
  private static final double BOUND_FULL = 0.9;
  private static final double TOPIC_FULL = 0.8;

  private final NewLetters newLetters = new NewLetters();
  private Map<Key, Instant> holding = Map.of();

  /** Identifies a condition; the rest of it may change while it fires. */
  private record Key(ConditionKind kind, @Nullable TopicName topic, String name) {}

  /** A condition that one observation shows. */
  private record Sign(Key key, String subject, @Nullable Double value) {}

  /** The conditions that fire now, the most urgent kind first, within a kind the oldest. */
  public List<Condition> after(Observation seen, Instant now) {
    List<Sign> signs = signs(seen);
    List<Condition> firing = newLetters.after(seen.topics(), now);
    Map<Key, Instant> held = new HashMap<>();
    for (Sign sign : signs) {
      Instant since = holding.getOrDefault(sign.key(), now);
      held.put(sign.key(), since);
      if (!now.isBefore(since.plus(sign.key().kind().patience()))) {
        firing.add(condition(sign, since));
      }
    }
    holding = held;
    firing.sort(
        Comparator.comparing(Condition::kind)
            .thenComparing(Condition::since)
            .thenComparing(one -> String.valueOf(one.topic()))
            .thenComparing(Condition::subject));
    return List.copyOf(firing);
  }

  private static Condition condition(Sign sign, Instant since) {
    Key key = sign.key();
    return new Condition(key.kind(), since, key.topic(), sign.subject(), sign.value());
  }

  private List<Sign> signs(Observation seen) {
    List<Sign> signs = new ArrayList<>();
    DiskRoom disk = seen.disk();
    if (disk != null && disk.freeBytes() / RESERVES < disk.reserveBytes()) {
      signs.add(new Sign(new Key(ConditionKind.DISK_LOW, null, ""), "", (double) disk.freeBytes()));
    }
    if (Boolean.FALSE.equals(seen.standby())) {
      signs.add(new Sign(new Key(ConditionKind.STANDBY_MISSING, null, ""), "", null));
    }
    for (BoundUse bound : seen.bounds()) {
      if (bound.fullness() > BOUND_FULL) {
        Key key = new Key(ConditionKind.BOUND_SATURATED, null, bound.reason());
        signs.add(new Sign(key, bound.reason(), bound.fullness()));
      }
    }
    seen.topics().forEach(topic -> addSigns(signs, topic));
    return signs;
  }

  private void addSigns(List<Sign> signs, TopicLoad topic) {
    if (topic.saturation() > TOPIC_FULL) {
      Key key = new Key(ConditionKind.TOPIC_SATURATED, topic.topic(), "");
      signs.add(new Sign(key, "", topic.saturation()));
    }
    if (topic.oldestReady().compareTo(topic.alertReadyAge()) > 0) {
      Key key = new Key(ConditionKind.READY_OVERDUE, topic.topic(), "");
      signs.add(new Sign(key, cause(topic), (double) topic.oldestReady().toSeconds()));
    }
  }

  private static String cause(TopicLoad topic) {
    if (topic.paused()) {
      return "paused";
    }
    return topic.received() ? "slow" : "nobody_receives";
  }
}
