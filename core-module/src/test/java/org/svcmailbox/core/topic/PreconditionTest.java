package org.svcmailbox.core.topic;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.PreconditionException;
import org.svcmailbox.core.settings.SettingsLoader;

class PreconditionTest {
  private static final Map<String, Precondition> ALL =
      Map.of(
          "none",
          Precondition.NONE,
          "present",
          Precondition.PRESENT,
          "absent",
          Precondition.ABSENT,
          "7.1",
          Precondition.oneOf(Set.of("7.1")),
          "7.1 or 7.2",
          Precondition.oneOf(Set.of("7.1", "7.2")),
          "nothing",
          Precondition.oneOf(Set.of()));

  private static Topic topic(int id, int version) {
    TopicState state = new TopicState(TopicOverrides.NONE, version, false, 1, 1);
    return new Topic(
        id,
        new TopicName("orders"),
        state,
        SettingsLoader.load(key -> Optional.empty(), Set.of(), 1).defaults());
  }

  private static boolean holds(Precondition condition, @Nullable Topic topic) {
    try {
      condition.check(topic);
      return true;
    } catch (PreconditionException e) {
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "none,       true,  true,  true,  true",
    "present,    false, true,  true,  true",
    "absent,     true,  false, false, false",
    "7.1,        false, true,  false, false",
    "7.1 or 7.2, false, true,  true,  false",
    "nothing,    false, false, false, false"
  })
  void whatHoldsOfWhichTopic(
      String condition, boolean ofNone, boolean ofFirst, boolean ofSecond, boolean ofAnother) {
    Precondition precondition = requireNonNull(ALL.get(condition));
    assertEquals(ofNone, holds(precondition, null));
    assertEquals(ofFirst, holds(precondition, topic(7, 1)));
    assertEquals(ofSecond, holds(precondition, topic(7, 2)));
    assertEquals(ofAnother, holds(precondition, topic(8, 1)));
  }

  @Test
  void onlyChangedSettingsHaveAnotherVersion() {
    TopicState first = TopicState.fresh(TopicOverrides.NONE, 4);
    assertEquals(1, first.version());
    assertEquals(1, first.withPaused(true).withShards(9).withoutLastShard().version());
    assertEquals(2, first.with(TopicOverrides.NONE, 4).version());
    assertEquals(3, first.with(TopicOverrides.NONE, 4).with(first.overrides(), 2).version());
    assertNotEquals(topic(1, 11).version(), topic(11, 1).version());
  }
}
