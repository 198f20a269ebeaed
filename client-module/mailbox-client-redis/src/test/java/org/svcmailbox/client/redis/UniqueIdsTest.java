package org.svcmailbox.client.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UniqueIdsTest {
  @Test
  void noTwoThreadsAndNoTwoMailboxesHaveTheSameId() {
    UniqueIds one = new UniqueIds();
    UniqueIds other = new UniqueIds();
    Set<String> ids = ConcurrentHashMap.newKeySet();

    IntStream.range(0, 10_000)
        .parallel()
        .forEach(
            i -> {
              ids.add(one.next());
              ids.add(other.next());
            });

    assertEquals(20_000, ids.size());
    assertTrue(ids.stream().allMatch(id -> id.matches("[0-9a-f]{32}")));
  }
}
